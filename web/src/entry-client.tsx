import './styles/index.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app/App.js';
import { handleAt } from './app/page.js';
import { preloadAt, routes } from './app/pages.js';
import { listenBeforeRouter } from './lib/back-button.js';
import { embeddedPageData } from './lib/page-data.js';
import { PageStore } from './lib/page-store.js';

/*
 * The router without its data layer: that alone weighs 18 kB (gzip), and with it the landing page's JavaScript would be
 * 110 kB where it may be 95. What the first page shows is in its HTML; the content of all others is read once, by `PageStore`.
 */
async function start(root: HTMLElement, store: PageStore): Promise<void> {
  // Or the browser would render a hole where the server put a page. If it fails, the page's boundary says so.
  await preloadAt(window.location.pathname).catch(() => undefined);
  listenBeforeRouter();
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
 * A page's code and content are fetched when somebody is about to go there: points at its link, touches it, or reaches it by keyboard.
 * Whoever clicks before they have come keeps the old page, which says that it is busy.
 */
function fetchAhead(store: PageStore, { target, type }: Event): void {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.origin !== window.location.origin) return;
  const main = document.getElementById('main');
  if (main && type === 'click') main.ariaBusy = 'true';
  const { page } = handleAt(routes, link.pathname);
  Promise.all([preloadAt(link.pathname), !store.has(page.name) && store.refresh()])
    .catch(() => undefined)
    .finally(() => main && (main.ariaBusy = null));
}

const root = document.getElementById('root');
if (root) {
  const store = new PageStore(embeddedPageData());
  void start(root, store);
  for (const type of ['pointerover', 'focusin', 'click'])
    root.addEventListener(type, (event) => fetchAhead(store, event));
}
