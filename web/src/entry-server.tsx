import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/App.js';
import { handleAt } from './app/page.js';
import { routes } from './app/routes.js';
import { structuredData } from './app/structured-data.js';
import { embeddedJson, shownSite } from './lib/page-data.js';
import type { DescribedPage, PageRequest, ServerBundle } from './lib/rendering.js';
import { type PageData, siteName } from './lib/site.js';

function pageData({ content, publicUrl, mapEmbedUrl, google }: PageRequest): PageData {
  return {
    site: content ? shownSite(content.sections) : {},
    imageTexts: content?.imageTexts ?? {},
    version: content?.version ?? null,
    publicUrl,
    mapEmbedUrl,
    ...(google && { google }),
    // The HTML is cached and must not depend on when it was made.
    readAt: 0,
  };
}

/** React puts preloads of pictures before the markup; in the page they belong into its head. */
const leadingPreloads = /^(?:<link rel="preload"[^>]*\/>)+/;

/** An address that cannot be decoded is no page; the router would say so in the log, at a stranger's bidding. */
function decodablePath({ path }: PageRequest): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return '/not/decodable';
  }
}

export const describePage: ServerBundle['describePage'] = (request) =>
  described(pageData(request), decodablePath(request));

function described(data: PageData, path: string): DescribedPage {
  const { page } = handleAt(routes, path);
  return {
    status: page.status?.(path) ?? 200,
    meta: page.describe(data, path),
    siteName: siteName(data.site),
  };
}

export const renderPage: ServerBundle['renderPage'] = async (request) => {
  const data = pageData(request);
  const path = decodablePath(request);
  const { page, preload } = handleAt(routes, path);
  await preload();
  const html = renderToString(
    <StaticRouter location={path}>
      <App data={data} />
    </StaticRouter>,
  );
  const preloads = leadingPreloads.exec(html)?.[0] ?? '';
  const description = described(data, path);
  const machineReadable = structuredData(description.meta, data);
  return {
    ...description,
    markup: html.slice(preloads.length),
    preloads,
    data: embeddedJson(data),
    structuredData: machineReadable ? embeddedJson(machineReadable) : '',
    modules: page.module ? [`src/features/${page.module}.route.tsx`] : [],
  };
};
