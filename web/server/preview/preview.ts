import { createHash } from 'node:crypto';
import type { DescribedPage } from '../../src/lib/rendering.js';

/** The texts and the address of the picture that other sites show next to a link to a page. */
export interface Preview {
  title: string;
  /** The site's name, or its host while it has no name. */
  site: string;
  /** Contains a hash of the texts, so the picture may be cached forever: with another title, it has another address. */
  address: string;
}

/** In pixels, as social networks require. */
export const previewSize = { width: 1200, height: 630 } as const;

/** Increase it when the drawing changes, so that no cache keeps the old one. */
const drawingVersion = 1;

/** In characters; much longer titles do not fit even at the smallest size. */
const maxTitle = 120;

/** The preview of a public page; undefined for screens and for the 404 page. */
export function previewOf({ meta, siteName }: DescribedPage, publicUrl: string): Preview | undefined {
  if (!meta.name) return undefined;
  const title = shortened(meta.heading, maxTitle);
  const site = shortened(siteName ?? new URL(publicUrl).hostname, maxTitle / 2);
  const hash = createHash('sha256')
    .update(JSON.stringify([drawingVersion, title, site]))
    .digest('hex')
    .slice(0, 16);
  return { title, site, address: `/previews/${meta.name.toLowerCase()}-${hash}.png` };
}

function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}
