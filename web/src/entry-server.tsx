import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { newsletterConsent, newsletterLinkPaths, type NewsletterLinkPageData } from '#libs/contracts';
import { imageTextsOf, siteNameOf } from '#libs/content-model';
import { App } from './app/App.js';
import { describeHead, describeScreen } from './app/meta.js';
import { contentOfPage } from './app/page-content.js';
import { pageHandleAt } from './app/page-routes.js';
import { catchAll, preloadAt, routes } from './app/pages.js';
import { notFound, screenHandleAt } from './app/screens.js';
import { structuredData } from './app/structured-data.js';
import { NewsletterLinkPage, newsletterLinkPageTitleOf } from './features/newsletter/NewsletterLinkPage.js';
import type { Page } from './lib/page.js';
import { jsonForScript, siteFromSections } from './lib/page-data.js';
import { PageDataStore } from './lib/page-data-store.js';
import type { DescribedPage, PageRequest, RenderedPage, ServerBundle } from './lib/rendering.js';
import type { PageData } from './lib/site.js';

/** The data is embedded in the HTML, so it holds only what the page shows. */
function pageDataFor(request: PageRequest): PageData {
  const { content, newsletterPage, publicUrl, mapEmbedUrl, google, passwordMinLength = 6 } = request;
  const name = newsletterPage ? undefined : pageAt(decodablePath(request)).name;
  const sections = contentOfPage(name, content?.sections ?? {});
  return {
    site: siteFromSections(sections),
    contentOf: name ?? 'frame',
    imageTexts: imageTextsOf(sections, content?.imageTexts ?? {}),
    version: content?.version ?? null,
    publicUrl,
    mapEmbedUrl,
    newsletterConsent,
    ...(google && { google }),
    ...(passwordMinLength !== 6 && { passwordMinLength }),
    // The HTML is cached and must not depend on when it was rendered.
    readAt: 0,
  };
}

/** React puts preloads of pictures before the markup. */
const leadingPreloads = /^(?:<link rel="preload"[^>]*\/>)+/;

/** An undecodable address counts as not found. Otherwise the router would log it, and anyone could fill the log. */
function decodablePath({ path }: PageRequest): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return '/not/decodable';
  }
}

export const describePage: ServerBundle['describePage'] = (request) =>
  descriptionOf(pageDataFor(request), decodablePath(request));

function descriptionOf(data: PageData, path: string): DescribedPage {
  const page = pageAt(path);
  return {
    status: page.path === notFound.path ? 404 : 200,
    // A screen without a title is called 'Settings' until it knows its section and sets the tab title itself.
    meta: describeHead(page.name || page.title ? page : { ...page, title: 'Settings' }, data),
    siteName: siteNameOf(data.site),
  };
}

function pageAt(path: string): Page {
  const { page } = pageHandleAt(routes, path);
  return page === catchAll ? screenHandleAt(path).page : page;
}

export const renderPage: ServerBundle['renderPage'] = async (request) => {
  const data = pageDataFor(request);
  if (request.newsletterPage) return renderNewsletterLinkPage(request.newsletterPage, data);
  return renderFrom(data, decodablePath(request));
};

export async function renderFrom(data: PageData, path: string): Promise<RenderedPage> {
  const page = pageAt(path);
  await preloadAt(path);
  const html = renderToString(
    <StaticRouter location={path}>
      <App store={new PageDataStore(data)} />
    </StaticRouter>,
  );
  const preloads = leadingPreloads.exec(html)?.[0] ?? '';
  const description = descriptionOf(data, path);
  const machineReadable = structuredData(description.meta, data);
  return {
    ...description,
    markup: html.slice(preloads.length),
    preloads,
    data: jsonForScript(data),
    hydrates: true,
    structuredData: machineReadable ? jsonForScript(machineReadable) : '',
    modules: [page.module ? `src/features/${page.module}.route.tsx` : 'src/app/screens.tsx'],
  };
}

function renderNewsletterLinkPage(page: NewsletterLinkPageData, data: PageData): RenderedPage {
  const title = newsletterLinkPageTitleOf(page);
  const markup = renderToString(
    <StaticRouter location={newsletterLinkPaths[page.link]}>
      <App store={new PageDataStore(data)}>
        <NewsletterLinkPage {...page} />
      </App>
    </StaticRouter>,
  );
  return {
    status: page.subscription ? 200 : 404,
    meta: describeScreen(title)(data),
    siteName: siteNameOf(data.site),
    markup,
    preloads: '',
    data: '{}',
    hydrates: false,
    structuredData: '',
    modules: [],
  };
}
