import { type MouseEvent, type ReactNode, Suspense, use, useEffect, useRef } from 'react';
import { useLocation, useNavigationType, useRoutes } from 'react-router-dom';
import { Toasts } from '../components/Toasts.js';
import { Waiting } from '../components/Waiting.js';
import type { Page } from '../lib/page.js';
import type { PageDataStore } from '../lib/page-data-store.js';
import { useSession } from '../lib/session.js';
import { usePageData, useRefreshSite } from '../lib/site.js';
import { useDocumentHead } from './document-head.js';
import { ErrorBoundary } from './ErrorBoundary.js';
import { Footer } from './Footer.js';
import { Header } from './Header.js';
import { pageHandleAt } from './page-routes.js';
import { catchAll, routes } from './pages.js';

/** Content older than this is read again when the person returns to the tab or navigates. */
const freshForMs = 60_000;

/** `children` are shown instead of the page or screen at this address. */
export function Layout({ store, children }: { store: PageDataStore; children?: ReactNode }) {
  const { pathname } = useLocation();
  const element = useRoutes(routes);
  const { page } = pageHandleAt(routes, pathname);
  useDocumentHead(page);
  useFreshContent();
  useArrival();
  return (
    <>
      <a className="skip-link" href="#main" onClick={skipToContent}>
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary pathname={pathname}>
          <Suspense fallback={<Waiting />}>
            {children ?? (
              <WithContent store={store} page={page}>
                {element}
              </WithContent>
            )}
          </Suspense>
        </ErrorBoundary>
      </main>
      <PageFooter page={page} />
      <Toasts />
    </>
  );
}

/** Following the link would add an entry to the browser's history, which the guard of unsaved changes does not know. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/**
 * A component of its own, so that `Layout` need not read the session. Rendering `Layout` again when the session is known would interrupt hydration;
 * the rest of it would then block the browser in one long task.
 */
function PageFooter({ page }: { page: Page }) {
  const { status } = useSession();
  return <Footer compact={page === catchAll && status !== 'signed-out'} />;
}

/** Suspends until the content is there; the previous page stays visible meanwhile. */
function WithContent({ store, page, children }: { store: PageDataStore; page: Page; children: ReactNode }) {
  if (!store.has(page.name)) use(store.complete());
  return children;
}

/** Reads content that is old or, on a shell, missing. */
function useFreshContent(): void {
  const { version, readAt } = usePageData();
  const { key } = useLocation();
  const refresh = useRefreshSite();
  useEffect(() => {
    const refreshOld = () => {
      // Content that came with the page is as old as the page.
      const age = Date.now() - (readAt || performance.timeOrigin);
      if (document.visibilityState === 'visible' && age > freshForMs) refresh();
    };
    if (version === null && readAt === 0) refresh();
    else refreshOld();
    document.addEventListener('visibilitychange', refreshOld);
    return () => document.removeEventListener('visibilitychange', refreshOld);
    // `key` is a dependency so that navigating checks the age too.
  }, [version, readAt, key, refresh]);
}

/**
 * After navigating to another path, focuses the main content and scrolls to the fragment or the top. On Back and Forward without a fragment, the
 * browser restores the position. On the same path, only scrolls to the fragment.
 */
function useArrival(): void {
  const { pathname, hash, key } = useLocation();
  const type = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    let target: HTMLElement | null = null;
    try {
      target = document.getElementById(decodeURIComponent(hash.slice(1)));
    } catch {
      // A fragment that cannot be decoded, such as `#50%`, names no element.
    }
    if (shown.current === pathname) return target?.scrollIntoView();
    shown.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
    if (target) target.scrollIntoView();
    else if (type !== 'POP') window.scrollTo(0, 0);
    // `key` is a dependency so that every click on a link to the same fragment scrolls.
  }, [pathname, hash, type, key]);
}
