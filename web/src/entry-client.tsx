import './styles/index.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app/App.js';
import { pageHandleAt } from './app/page-routes.js';
import { preloadAt, routes } from './app/pages.js';
import { listenForBackButtonBeforeRouter } from './lib/back-button.js';
import { readEmbeddedPageData } from './lib/page-data.js';
import { PageDataStore } from './lib/page-data-store.js';

/* The router's data mode is not used: it would add 17 kB (gzip) to the landing page's JavaScript, which must stay below 95 kB. The first page's
   content is in its HTML; `PageDataStore` reads the content of all other pages in one call. */
async function start(root: HTMLElement, store: PageDataStore): Promise<void> {
  // Hydrating before the page's code is loaded would replace the server's markup with a fallback. If loading fails, the error boundary shows an
  // error.
  await preloadAt(window.location.pathname).catch(() => undefined);
  listenForBackButtonBeforeRouter();
  startTransition(() => {
    hydrateRoot(
      root,
      <BrowserRouter>
        <App store={store} />
      </BrowserRouter>,
    );
  });
}

/**
 * Prefetches a page's code and content when somebody points at its link, touches it or focuses it. After a click, the old page stays visible and is
 * marked as busy.
 */
function fetchAhead(store: PageDataStore, { target, type }: Event): void {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.origin !== window.location.origin) return;
  const busy = type === 'click' ? document.getElementById('main') : null;
  if (busy) busy.ariaBusy = 'true';
  const { page } = pageHandleAt(routes, link.pathname);
  Promise.all([preloadAt(link.pathname), !store.has(page.name) && store.refresh()])
    .catch(() => undefined)
    .finally(() => busy && (busy.ariaBusy = null));
}

const root = document.getElementById('root');
if (root) {
  const store = new PageDataStore(readEmbeddedPageData());
  void start(root, store);
  for (const type of ['pointerover', 'focusin', 'click'])
    root.addEventListener(type, (event) => fetchAhead(store, event));
}
