import MarkdownIt, { type Token } from 'markdown-it';
import type { Part, Run } from '../mail/letters/letter.js';

const addressAtMost = 2_000;

/** What a mail may link to. Others stay text, as they were typed. */
function isLink(address: string): boolean {
  return (
    address.length <= addressAtMost &&
    /^(https?:\/\/|mailto:)/i.test(address) &&
    URL.canParse(address) &&
    !/[\u0000-\u0020\u007f<>"]/.test(address)
  );
}

/** What the editor offers, and nothing else: HTML in particular is text. */
const markdown = new MarkdownIt('zero', { html: false, linkify: true })
  .enable(['heading', 'list', 'blockquote'])
  .enable(['emphasis', 'link', 'image', 'autolink', 'escape', 'entity', 'newline'])
  .enable(['linkify', 'text_join', 'balance_pairs', 'fragments_join']);
markdown.validateLink = isLink;
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/**
 * The parts of a letter that was written in Markdown. Nothing of it is markup after this: both forms of the mail are rendered from the
 * parts. Pictures are from HTTPS, or from the site at `siteUrl`.
 */
export function readLetterBody(body: string, siteUrl: string): Part[] {
  return partsOf(markdown.parse(body, {}), new URL(siteUrl).origin);
}

function partsOf(tokens: readonly Token[], siteOrigin: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.nesting !== 1) continue;
    const end = endOf(tokens, at);
    const inside = tokens.slice(at + 1, end);
    at = end;
    if (token.type === 'heading_open') {
      const heading = plainText(inside);
      if (heading) parts.push({ kind: 'heading', text: heading });
    } else if (token.type === 'blockquote_open') {
      parts.push({ kind: 'quote', text: plainText(inside) });
    } else if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open') {
      const items = itemsOf(inside);
      if (items.length > 0) parts.push({ kind: 'list', items, ordered: token.type === 'ordered_list_open' });
    } else {
      parts.push(...paragraphOf(inside, siteOrigin));
    }
  }
  return parts;
}

/** Index of the token that closes what the one at `start` opens. */
function endOf(tokens: readonly Token[], start: number): number {
  const { level } = tokens[start]!;
  return tokens.findIndex((token, at) => at > start && token.nesting === -1 && token.level === level);
}

/** A picture in a paragraph stands by itself. */
function paragraphOf(tokens: readonly Token[], siteOrigin: string): Part[] {
  const parts: Part[] = [];
  let runs: Run[] = [];
  const endRuns = () => {
    if (runs.some(({ text }) => text.trim() !== '')) parts.push({ kind: 'rich', runs: trimmed(runs) });
    runs = [];
  };
  for (const piece of inlineOf(tokens)) {
    if ('image' in piece && isPicture(piece.image, siteOrigin)) {
      endRuns();
      parts.push({ kind: 'image', url: piece.image, alt: piece.text });
    } else {
      runs.push(withoutImage(piece));
    }
  }
  endRuns();
  return parts;
}

function isPicture(address: string, siteOrigin: string): boolean {
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || origin === siteOrigin;
}

/** Lists within lists are of the same list. */
function itemsOf(tokens: readonly Token[]): Run[][] {
  const items: Run[][] = [];
  for (const token of tokens) {
    if (token.type === 'list_item_open') items.push([]);
    else if (token.type === 'inline') {
      const item = items.at(-1)!;
      if (item.length > 0) item.push({ text: '\n' });
      item.push(...inlineOf([token]).map(withoutImage));
    }
  }
  return items.filter((item) => item.some(({ text }) => text.trim() !== ''));
}

type Piece = Run | (Run & { image: string });

function inlineOf(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let strong = 0;
  let emphasis = 0;
  let url: string | undefined;
  const looks = () => ({
    ...(strong > 0 && { strong: true }),
    ...(emphasis > 0 && { emphasis: true }),
    ...(url !== undefined && { url }),
  });
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'strong_open' || token.type === 'strong_close') strong += token.nesting;
    else if (token.type === 'em_open' || token.type === 'em_close') emphasis += token.nesting;
    else if (token.type === 'link_open') url = String(token.attrGet('href') ?? '') || undefined;
    else if (token.type === 'link_close') url = undefined;
    else if (token.type === 'softbreak' || token.type === 'hardbreak') pieces.push({ text: '\n' });
    else if (token.type === 'image')
      pieces.push({ text: plainText([token]), image: String(token.attrGet('src') ?? ''), ...looks() });
    else if (token.content !== '') pieces.push({ text: token.content, ...looks() });
  }
  return pieces;
}

function withoutImage(piece: Piece): Run {
  if (!('image' in piece)) return piece;
  const { image: _, ...run } = piece;
  return run;
}

function trimmed(runs: readonly Run[]): Run[] {
  const last = runs.length - 1;
  return runs
    .map((run, at) => {
      const text = at === 0 ? run.text.trimStart() : run.text;
      return { ...run, text: at === last ? text.trimEnd() : text };
    })
    .filter(({ text }) => text !== '');
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .filter(({ children }) => children !== null)
    .map((token) =>
      inlineOf([token])
        .map(({ text }) => text)
        .join(''),
    )
    .join('\n')
    .trim();
}
