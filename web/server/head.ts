import { escapeMarkup } from '#libs/contracts';
import type { RenderedPage } from '../src/lib/rendering.js';
import type { ClientFiles } from './manifest.js';
import { linkPreviewOf, linkPreviewSize } from './preview/preview.js';

type Attributes = Record<string, string | undefined>;

/** Empty if a value is missing. */
function tag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([attribute, value]) => {
    if (value === undefined || value === '') return undefined;
    return ` ${attribute}="${escapeMarkup(value)}"`;
  });
  return written.includes(undefined) ? '' : `<${name}${written.join('')}>`;
}

const metaTag = (name: string, content: string | undefined) => tag('meta', { name, content });
const propertyTag = (name: string, content: string | undefined) => tag('meta', { property: name, content });

/** The two values of `--ground` in web/src/styles/tokens.css. */
const themes = [
  { scheme: 'light', ground: '#fbfaf6' },
  { scheme: 'dark', ground: '#12161f' },
];

/** For search engines and link previews. */
function searchMetadata(page: RenderedPage, publicUrl: string): string {
  const { meta, siteName } = page;
  const robots = metaTag('robots', meta.indexed ? 'index, follow' : 'noindex');
  const canonical = meta.canonical && publicUrl + meta.canonical;
  const preview = linkPreviewOf(page, publicUrl);
  if (!meta.indexed || !canonical || !preview) return robots;
  const { width, height } = linkPreviewSize;
  return [
    robots,
    tag('link', { rel: 'canonical', href: canonical }),
    propertyTag('og:type', 'website'),
    propertyTag('og:site_name', siteName),
    propertyTag('og:locale', 'en_US'),
    propertyTag('og:url', canonical),
    propertyTag('og:title', meta.title),
    propertyTag('og:description', meta.description),
    propertyTag('og:image', publicUrl + preview.address),
    propertyTag('og:image:type', 'image/png'),
    propertyTag('og:image:width', String(width)),
    propertyTag('og:image:height', String(height)),
    propertyTag('og:image:alt', [preview.title, siteName].filter(Boolean).join(' – ')),
    // X takes title, description and image from the properties above.
    metaTag('twitter:card', 'summary_large_image'),
    page.structuredData && `<script type="application/ld+json">${page.structuredData}</script>`,
  ].join('');
}

/** What the page needs to render comes first. */
export function headOf(page: RenderedPage, files: ClientFiles, publicUrl: string): string {
  const { meta } = page;
  return [
    '<meta charset="utf-8">',
    metaTag('viewport', 'width=device-width, initial-scale=1'),
    // Sets the right background before the style sheet arrives.
    metaTag('color-scheme', 'light dark'),
    `<title>${escapeMarkup(meta.title)}</title>`,
    ...files.styles.map((href) => tag('link', { rel: 'stylesheet', href })),
    tag('link', {
      rel: 'preload',
      as: 'font',
      type: 'font/woff2',
      href: files.font,
      crossorigin: 'anonymous',
    }),
    page.preloads,
    page.hydrates &&
      `<script type="module" src="${files.boot}" data-modules="${files.modules.join(' ')}"></script>`,
    ...themes.map(({ scheme, ground }) =>
      tag('meta', { name: 'theme-color', media: `(prefers-color-scheme: ${scheme})`, content: ground }),
    ),
    metaTag('description', meta.description),
    searchMetadata(page, publicUrl),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/site.webmanifest">',
  ]
    .filter(Boolean)
    .join('');
}
