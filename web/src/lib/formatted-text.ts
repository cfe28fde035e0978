export interface TextPiece {
  text: string;
  style?: 'strong' | 'em';
  /** Turns the piece into a link. Not checked: the address may be anything. */
  address?: string;
}

/** A paragraph has one line per line of the source, a list has one per item, and a heading has exactly one. */
export interface TextBlock {
  kind: 'paragraph' | 'heading' | 'subheading' | 'list' | 'numbered-list';
  lines: TextPiece[][];
  /** The number of the first item of a numbered list. */
  start?: number;
}

/* A parser of our own for a small part of Markdown: visitors load it, and a library would be a third of all their JavaScript. */

const prefixes: readonly [Exclude<TextBlock['kind'], 'paragraph'>, RegExp][] = [
  ['heading', /^#{1,2} +/],
  ['subheading', /^#{3,6} +/],
  ['list', /^[-*+] +/],
  ['numbered-list', /^(\d{1,3})[.)] +/],
];

/** Text between stars must not begin or end with a space. The length limits prevent excessive backtracking in a text full of brackets. */
const inlineMarks =
  /\*\*(?! )([^*]+)(?<! )\*\*|\*(?! )([^*]+)(?<! )\*|\[([^\]]{1,500})\]\(([^()\s]{1,2000})\)/g;

/** Parses Markdown headings, lists, links, bold and italic. Anything else stays as it was typed. */
export function parseFormattedText(text: string | undefined): TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: TextBlock | undefined;
  for (const source of (text ?? '').split(/\r?\n/)) {
    const line = source.trim();
    const [kind, prefix] = prefixes.find(([, pattern]) => pattern.test(line)) ?? (['paragraph', ''] as const);
    // An empty line ends a paragraph, but not a list.
    if (line === '') {
      if (open?.kind === 'paragraph') open = undefined;
      continue;
    }
    const pieces = piecesOf(line.replace(prefix, ''));
    if (open?.kind === kind && !kind.endsWith('heading')) open.lines.push(pieces);
    else {
      open = { kind, lines: [pieces], ...(kind === 'numbered-list' && { start: Number.parseInt(line, 10) }) };
      blocks.push(open);
    }
  }
  return blocks;
}

function piecesOf(line: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of line.matchAll(inlineMarks)) {
    const [all, strong, em, linked, address] = match;
    if (match.index > end) pieces.push({ text: line.slice(end, match.index) });
    if (address) pieces.push({ text: linked!, address });
    else pieces.push({ text: (strong ?? em)!, style: strong ? 'strong' : 'em' });
    end = match.index + all.length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end) });
  return pieces;
}

export function plainText(text: string | undefined): string {
  return parseFormattedText(text)
    .flatMap(({ lines }) => lines.map((pieces) => pieces.map((piece) => piece.text).join('')))
    .join(' ');
}
