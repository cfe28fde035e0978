import { createHash } from 'node:crypto';
import type { DescribedPage } from '../../src/lib/rendering.js';

/** The picture that other sites show beside a link to a page: what is written on it, and where it is. */
export interface Preview {
  title: string;
  /** The agency's name; the site's host while it has none. */
  site: string;
  /** Names what is drawn, so that it may be cached for ever: another title is another address. */
  address: string;
}

/** In pixels, as the networks ask for it. */
export const previewSize = { width: 1200, height: 630 } as const;

/** To be raised when the drawing changes, so that no cache keeps the old one. */
const drawing = 1;

/** Longer titles would not fit, whatever their size. */
const maxTitle = 120;

/** The preview of a public page; other screens have none. */
export function previewOf({ meta, siteName }: DescribedPage, publicUrl: string): Preview | undefined {
  if (!meta.name) return undefined;
  const title = shortened(meta.heading, maxTitle);
  const site = shortened(siteName ?? new URL(publicUrl).host, maxTitle / 2);
  const hash = createHash('sha256')
    .update(JSON.stringify([drawing, title, site]))
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
