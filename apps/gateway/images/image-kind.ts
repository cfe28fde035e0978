export type ImageKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'svg';

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

/** Looks at the bytes only, never at the name or content type. Undefined for any other kind of file. */
export function imageKindOf(bytes: Buffer): ImageKind | undefined {
  if (startsWith(bytes, '\xff\xd8\xff')) return 'jpeg';
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'png';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp';
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'gif';
  // The file's brands follow `ftyp`: `avif`, or `avis` for an animation.
  if (startsWith(bytes, 'ftyp', 4) && /avi[fs]/.test(bytes.toString('latin1', 8, 48))) return 'avif';
  return isSvg(bytes.toString('utf8', 0, svgHeadBytes)) ? 'svg' : undefined;
}

/** The root element of an SVG must begin within this many bytes. */
const svgHeadBytes = 4096;

/** Whether the first element is `<svg>`, after declarations and comments. Uses no regular expression that backtracks, so no file takes long. */
function isSvg(head: string): boolean {
  let at = head.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    at = skipSpace(head, at);
    const end = prologEnd(head, at);
    if (end === undefined) return /^<svg[\s>]/i.test(head.slice(at, at + 5));
    if (end < 0) return false;
    at = end;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** The end of the declaration or comment that begins at `at`; undefined if none does. Negative if it has no end, or is a DOCTYPE other than svg. */
function prologEnd(text: string, at: number): number | undefined {
  if (text.startsWith('<!--', at)) return indexAfter(text, '-->', at + 4);
  if (/^<\?xml$/i.test(text.slice(at, at + 5))) return indexAfter(text, '?>', at + 5);
  if (/^<!DOCTYPE\s$/i.test(text.slice(at, at + 10))) return doctypeEnd(text, at + 10);
  return undefined;
}

/** The end of `<!DOCTYPE svg PUBLIC "…" "…" [ … ]>`, whose declarations in brackets may contain `>`. */
function doctypeEnd(text: string, from: number): number {
  const at = skipSpace(text, from);
  if (!/^svg\b/i.test(text.slice(at, at + 4))) return -1;
  const close = text.indexOf('>', at);
  const bracket = text.indexOf('[', at);
  if (bracket < 0 || close < bracket) return indexAfter(text, '>', at);
  const closingBracket = text.indexOf(']', bracket);
  return closingBracket < 0 ? -1 : indexAfter(text, '>', closingBracket);
}

function indexAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? -1 : found + mark.length;
}
