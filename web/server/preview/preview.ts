import { createHash } from 'node:crypto';
import type { DescribedPage } from '../../src/lib/rendering.js';

/** What other sites show next to a link to a page. */
export interface LinkPreview {
  title: string;
  /** The site's name, or its host while it has no name. */
  site: string;
  /** The path of the picture. It contains a hash of the texts and of the drawing’s version, so the picture may be cached forever. */
  address: string;
}

/** In pixels, as social networks require. */
export const linkPreviewSize = { width: 1200, height: 630 } as const;

/** Increase it when the drawing changes, because caches keep the old one. */
const drawingVersion = 1;

/** In characters. Longer texts are cut. */
const maxLength = { title: 120, site: 60 };

/** Undefined for screens and for the 404 page. */
export function linkPreviewOf({ meta, siteName }: DescribedPage, publicUrl: string): LinkPreview | undefined {
  if (!meta.name) return undefined;
  const title = shortened(meta.heading, maxLength.title);
  const site = shortened(siteName ?? new URL(publicUrl).hostname, maxLength.site);
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
