import type { RenderedPage } from '../src/lib/rendering.js';
import { headOf } from './head.js';
import type { ClientFiles } from './manifest.js';

/** The content security policy allows no inline scripts, inline styles or style attributes. JSON in a script element is allowed: it is not run. */
export function documentOf(page: RenderedPage, files: ClientFiles, publicUrl: string): string {
  const dataBlock = page.hydrates
    ? `<script type="application/json" id="page-data">${page.data}</script>`
    : '';
  return (
    `<!doctype html><html lang="en"><head>${headOf(page, files, publicUrl)}</head>` +
    `<body><div id="root">${page.markup}</div>${dataBlock}</body></html>`
  );
}
