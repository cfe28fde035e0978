import { parseFormattedText, type TextBlock, type TextPiece } from '../../lib/formatted-text.js';

/** Also matches any punctuation that directly follows the URL. */
const typedAddress = /https?:\/\/[^\s<>"]{1,2000}/g;

/** Parses the Markdown of a message. URLs that are typed without Markdown become links, too. */
export function parseMessageText(text: string): TextBlock[] {
  return parseFormattedText(text).map((block) => ({
    ...block,
    lines: block.lines.map((pieces) => pieces.flatMap(withLinks)),
  }));
}

function withLinks(piece: TextPiece): TextPiece[] {
  if (piece.address || piece.style) return [piece];
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of piece.text.matchAll(typedAddress)) {
    const address = withoutPunctuation(match[0]);
    // Without its punctuation, 'https://...' is only 'https://', which leads nowhere.
    if (!URL.canParse(address)) continue;
    if (match.index > end) pieces.push({ text: piece.text.slice(end, match.index) });
    pieces.push({ text: address, address });
    end = match.index + address.length;
  }
  if (end < piece.text.length) pieces.push({ text: piece.text.slice(end) });
  return pieces;
}

/** Punctuation at the end of a typed URL belongs to the sentence around it, except a `)` whose `(` is in the URL. */
function withoutPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && ".,;:!?'’”)]".includes(address[end - 1]!) && !closesBracket(address.slice(0, end)))
    end -= 1;
  return address.slice(0, end);
}

function closesBracket(address: string): boolean {
  const countOf = (character: string) => address.split(character).length - 1;
  return address.endsWith(')') && countOf('(') >= countOf(')');
}
