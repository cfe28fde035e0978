import type { PageMeta, RenderedPage } from '../src/lib/rendering.js';
import type { ClientFiles } from './manifest.js';

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function head(meta: PageMeta, publicUrl: string): string {
  const description = meta.description ? ` content="${escapeHtml(meta.description)}"` : '';
  const canonical = meta.canonical ? ` href="${escapeHtml(publicUrl + meta.canonical)}"` : '';
  return [
    `<title>${escapeHtml(meta.title)}</title>`,
    description && `<meta name="description"${description}>`,
    canonical && `<link rel="canonical"${canonical}>`,
    `<meta name="robots" content="${meta.indexed ? 'index, follow' : 'noindex'}">`,
  ]
    .filter(Boolean)
    .join('');
}

/**
 * The whole HTML. No inline script, no inline style and no style attribute, as the content security policy has it;
 * the data block is not executed.
 */
export function documentOf(page: RenderedPage, files: ClientFiles, publicUrl: string): string {
  const fonts = files.fonts.map(
    (href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`,
  );
  const styles = files.styles.map((href) => `<link rel="stylesheet" href="${href}">`);
  const modules = files.modules.map((href) => `<link rel="modulepreload" href="${href}">`);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="color-scheme" content="light dark">' +
    head(page.meta, publicUrl) +
    fonts.join('') +
    styles.join('') +
    page.preloads +
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">' +
    modules.join('') +
    `<script type="module" src="${files.entry}"></script>` +
    `</head><body><div id="root">${page.markup}</div>` +
    `<script type="application/json" id="page-data">${page.data}</script></body></html>`
  );
}
