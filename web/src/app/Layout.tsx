import { type ReactNode, Suspense, use, useEffect, useRef } from 'react';
import { useLocation, useNavigationType, useRoutes } from 'react-router-dom';
import { Toasts } from '../components/Toasts.js';
import { Waiting } from '../components/Waiting.js';
import type { Page } from '../lib/page.js';
import type { PageStore } from '../lib/page-store.js';
import { usePageData, useRefresh } from '../lib/site.js';
import { useDocumentHead } from './document-head.js';
import { FaultBoundary } from './Fault.js';
import { Footer } from './Footer.js';
import { Header } from './Header.js';
import { handleAt } from './page.js';
import { routes } from './pages.js';

/** After this long, content is read again when a person comes back to the page or moves on. */
const freshForMs = 60_000;

/** The frame of every page: of what it is given, else of the screen at this address. */
export function Layout({ store, children }: { store: PageStore; children?: ReactNode }) {
  const { pathname } = useLocation();
  const screen = useRoutes(routes);
  const { page } = handleAt(routes, pathname);
  useDocumentHead(page);
  useFreshContent();
  useArrival();
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <FaultBoundary place={pathname}>
          <Suspense fallback={<Waiting />}>
            {children ?? (
              <WithContent store={store} page={page}>
                {screen}
              </WithContent>
            )}
          </Suspense>
        </FaultBoundary>
      </main>
      <Footer />
      <Toasts />
    </>
  );
}

/** Waits until there is all that a page shows; the former page stays meanwhile. */
function WithContent({ store, page, children }: { store: PageStore; page: Page; children: ReactNode }) {
  if (!store.has(page.name)) use(store.whole());
  return children;
}

/** A shell comes without content and reads it at once; a page that has been open for a while reads it again. */
function useFreshContent(): void {
  const { version, readAt } = usePageData();
  const { key } = useLocation();
  const refresh = useRefresh();
  useEffect(() => {
    const refreshOld = () => {
      const age = Date.now() - (readAt || performance.timeOrigin);
      if (document.visibilityState === 'visible' && age > freshForMs) refresh();
    };
    if (version === null && readAt === 0) refresh();
    else refreshOld();
    document.addEventListener('visibilitychange', refreshOld);
    return () => document.removeEventListener('visibilitychange', refreshOld);
    // `key` is here so that moving on asks too.
  }, [version, readAt, key, refresh]);
}

/** A new page begins where a full load would begin: at its top or its fragment, with the focus on its content. */
function useArrival(): void {
  const { pathname, hash } = useLocation();
  const type = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    const target = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
    if (shown.current === pathname) return target?.scrollIntoView();
    shown.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
    if (target) target.scrollIntoView();
    else if (type !== 'POP') window.scrollTo(0, 0);
  }, [pathname, hash, type]);
}
