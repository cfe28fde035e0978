import MarkdownIt, { type Token } from 'markdown-it';
import type { Block, TextRun } from './email-content.js';

const longestUrl = 2_000;

/** Links and images with other URLs stay text, as they were typed. Only those with an empty URL, such as `[x]()`, become their text or alt text. */
function isAllowedUrl(url: string): boolean {
  return (
    url.length <= longestUrl &&
    /^(https?:\/\/|mailto:)/i.test(url) &&
    URL.canParse(url) &&
    !/[\u0000-\u0020\u007f<>"]/.test(url)
  );
}

/** Headings, lists, quotes, emphasis, links, images, escapes, entities and line breaks. Other Markdown and HTML stay text. */
const markdown = new MarkdownIt('zero', { html: false, linkify: true })
  .enable(['heading', 'list', 'blockquote'])
  .enable(['emphasis', 'link', 'image', 'autolink', 'escape', 'entity', 'newline'])
  .enable(['linkify', 'text_join', 'balance_pairs', 'fragments_join']);
markdown.validateLink = isAllowedUrl;
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/** An image in a heading, list or quote becomes its alt text. So does an image whose URL is allowed, but neither HTTPS nor on the site. */
export function parseMarkdown(body: string, siteUrl: string): Block[] {
  return blocksOf(markdown.parse(body, {}), new URL(siteUrl).origin);
}

function blocksOf(tokens: readonly Token[], siteOrigin: string): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.nesting !== 1) continue;
    const end = endOf(tokens, at);
    const inside = tokens.slice(at + 1, end);
    at = end;
    if (token.type === 'heading_open' || token.type === 'blockquote_open') {
      const kind = token.type === 'heading_open' ? 'heading' : 'quote';
      const runs = runsOf(inside);
      if (runs.some(({ text }) => text.trim() !== '')) blocks.push({ kind, runs });
    } else if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open') {
      const items = itemsOf(inside);
      const ordered = token.type === 'ordered_list_open';
      // Null if the list begins with 1.
      const start = token.attrGet('start');
      if (items.length > 0)
        blocks.push({ kind: 'list', items, ordered, ...(start !== null && { start: Number(start) }) });
    } else {
      blocks.push(...paragraphOf(inside, siteOrigin));
    }
  }
  return blocks;
}

function endOf(tokens: readonly Token[], start: number): number {
  const { level } = tokens[start]!;
  return tokens.findIndex((token, at) => at > start && token.nesting === -1 && token.level === level);
}

/** An image in a paragraph becomes a separate block. */
function paragraphOf(tokens: readonly Token[], siteOrigin: string): Block[] {
  const blocks: Block[] = [];
  let runs: TextRun[] = [];
  const endRuns = () => {
    if (runs.some(({ text }) => text.trim() !== '')) blocks.push({ kind: 'richText', runs: trimmed(runs) });
    runs = [];
  };
  for (const piece of piecesOf(tokens)) {
    if ('image' in piece && isAllowedImage(piece.image, siteOrigin)) {
      endRuns();
      const { image: url, text: alt, url: linkUrl } = piece;
      blocks.push({ kind: 'image', url, alt, ...(linkUrl !== undefined && { linkUrl }) });
    } else {
      runs.push(withoutImage(piece));
    }
  }
  endRuns();
  return blocks;
}

function isAllowedImage(url: string, siteOrigin: string): boolean {
  // The URL can be empty, as in `![x]()`.
  if (!URL.canParse(url)) return false;
  const { protocol, origin } = new URL(url);
  return protocol === 'https:' || origin === siteOrigin;
}

/** The items of nested lists become items of the outer list. */
function itemsOf(tokens: readonly Token[]): TextRun[][] {
  const items: TextRun[][] = [];
  for (const token of tokens) {
    if (token.type === 'list_item_open') items.push([]);
    else if (token.type === 'inline') {
      const item = items.at(-1)!;
      if (item.length > 0) item.push({ text: '\n' });
      item.push(...piecesOf([token]).map(withoutImage));
    }
  }
  return items.filter((item) => item.some(({ text }) => text.trim() !== ''));
}

type Piece = TextRun | (TextRun & { image: string });

function piecesOf(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let strong = 0;
  let emphasis = 0;
  let url: string | undefined;
  const formatting = () => ({
    ...(strong > 0 && { strong: true }),
    ...(emphasis > 0 && { emphasis: true }),
    ...(url !== undefined && { url }),
  });
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'strong_open' || token.type === 'strong_close') strong += token.nesting;
    else if (token.type === 'em_open' || token.type === 'em_close') emphasis += token.nesting;
    else if (token.type === 'link_open') url = String(token.attrGet('href') ?? '') || undefined;
    else if (token.type === 'link_close') url = undefined;
    else if (token.type === 'softbreak' || token.type === 'hardbreak')
      pieces.push({ text: '\n', ...formatting() });
    else if (token.type === 'image')
      pieces.push({ text: altOf(token), image: String(token.attrGet('src') ?? ''), ...formatting() });
    else if (token.content !== '') pieces.push({ text: token.content, ...formatting() });
  }
  return pieces;
}

function withoutImage(piece: Piece): TextRun {
  if (!('image' in piece)) return piece;
  const { image: _, ...run } = piece;
  return run;
}

function trimmed(runs: readonly TextRun[]): TextRun[] {
  const last = runs.length - 1;
  return runs
    .map((run, at) => {
      const text = at === 0 ? run.text.trimStart() : run.text;
      return { ...run, text: at === last ? text.trimEnd() : text };
    })
    .filter(({ text }) => text !== '');
}

/** All text inside a heading or quote. Each paragraph begins on a new line. */
function runsOf(tokens: readonly Token[]): TextRun[] {
  const runs: TextRun[] = [];
  for (const token of tokens.filter(({ type }) => type === 'inline')) {
    if (runs.length > 0) runs.push({ text: '\n' });
    runs.push(...piecesOf([token]).map(withoutImage));
  }
  return trimmed(runs);
}

function altOf(image: Token): string {
  return piecesOf([image])
    .map(({ text }) => text)
    .join('')
    .trim();
}
