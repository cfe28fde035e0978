import { unknownType } from './file.view.js';

/** `fileTypeOf` looks at this many bytes at most. */
export const headBytes = 4_100;

const signatures: readonly (readonly [type: string, bytes: string, at?: number])[] = [
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['image/webp', 'WEBP', 8],
  ['application/pdf', '%PDF-'],
  ['application/gzip', '\x1f\x8b\x08'],
  ['application/x-7z-compressed', "7z\xbc\xaf'\x1c"],
  ['application/vnd.rar', 'Rar!\x1a\x07'],
  ['audio/wav', 'WAVE', 8],
  ['audio/mpeg', 'ID3'],
  ['audio/ogg', 'OggS'],
  ['video/webm', '\x1a\x45\xdf\xa3'],
];

/** Brands of the ISO base media file format, after `ftyp`. */
const brands: readonly (readonly [type: string, brand: RegExp])[] = [
  ['image/avif', /^avi[fs]/],
  ['image/heic', /^(hei[cxms]|hev[cxms]|mif1|msf1)/],
  ['video/quicktime', /^qt /],
  ['audio/mp4', /^M4[AB] /],
  ['video/mp4', /^(isom|iso[2-9]|mp4[12]|avc1|M4V |dash|MSNV)/],
];

const officeFolders: readonly (readonly [type: string, folder: string])[] = [
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'word/'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xl/'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'ppt/'],
];

/**
 * The media type by the first bytes, never by the name. Recognizes only types that a browser cannot run as a page or script. Everything else, such as
 * HTML, SVG and text, is `application/octet-stream`.
 */
export function fileTypeOf(head: Buffer): string {
  const bytes = head.toString('latin1', 0, headBytes);
  const found = signatures.find(([, signature, at = 0]) => bytes.startsWith(signature, at));
  if (found) return refinedType(found[0], bytes);
  if (bytes.startsWith('ftyp', 4))
    return brands.find(([, brand]) => brand.test(bytes.slice(8)))?.[0] ?? unknownType;
  if (bytes.startsWith('PK\x03\x04')) return zipType(bytes);
  return unknownType;
}

export function canHavePreview(type: string): boolean {
  return previewed.has(type);
}
const previewed = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
]);

/** RIFF and Matroska containers need a second look. */
function refinedType(type: string, bytes: string): string {
  if ((type === 'image/webp' || type === 'audio/wav') && !bytes.startsWith('RIFF')) return unknownType;
  if (type === 'video/webm') return bytes.slice(0, 64).includes('webm') ? type : 'video/x-matroska';
  return type;
}

/** Microsoft Office documents are ZIP archives with certain folders, whose names are usually among the first bytes. */
function zipType(bytes: string): string {
  if (!bytes.includes('[Content_Types].xml')) return openDocumentType(bytes) ?? 'application/zip';
  return officeFolders.find(([, folder]) => bytes.includes(folder))?.[0] ?? 'application/zip';
}

/** An OpenDocument archive begins with 30 bytes of header, the file name `mimetype`, and that file's uncompressed content: the type. */
function openDocumentType(bytes: string): string | undefined {
  const [, type] =
    /^mimetype(application\/vnd\.oasis\.opendocument\.[a-z]{1,20})/.exec(bytes.slice(30)) ?? [];
  return type;
}
