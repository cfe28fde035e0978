import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/App.js';
import { handleAt } from './app/page.js';
import { routes } from './app/routes.js';
import { embeddedJson, shownSite } from './lib/page-data.js';
import type { PageRequest, RenderPage } from './lib/rendering.js';
import type { PageData } from './lib/site.js';

function pageData({ content, publicUrl, mapEmbedUrl }: PageRequest): PageData {
  return {
    site: content ? shownSite(content.sections) : {},
    version: content?.version ?? null,
    publicUrl,
    mapEmbedUrl,
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

export const renderPage: RenderPage = async (request) => {
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
  return {
    status: page.status?.(path) ?? 200,
    meta: page.describe(data, path),
    markup: html.slice(preloads.length),
    preloads,
    data: embeddedJson(data),
    modules: page.module ? [`src/features/${page.module}.route.tsx`] : [],
  };
};
