export type ImageKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'svg';

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

/** What the bytes themselves say they are; nobody asks what they are called. Undefined for what is no picture of a kind that is taken. */
export function imageKindOf(bytes: Buffer): ImageKind | undefined {
  if (startsWith(bytes, '\xff\xd8\xff')) return 'jpeg';
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'png';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp';
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'gif';
  if (startsWith(bytes, 'ftyp', 4) && /avi[fs]/.test(bytes.toString('latin1', 8, 48))) return 'avif';
  return isSvg(bytes) ? 'svg' : undefined;
}

/** Its first element is `<svg>`, whatever declarations and comments stand before it. */
function isSvg(bytes: Buffer): boolean {
  const head = bytes.toString('utf8', 0, 4096).replace(/^\ufeff/, '');
  return /^\s*(?:<\?xml[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\])?\s*>\s*)*<svg[\s>]/i.test(
    head,
  );
}
