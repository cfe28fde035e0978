import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import type { PageDataStore } from '../lib/page-data-store.js';
import { SiteContext } from '../lib/site.js';
import { Layout } from './Layout.js';

interface AppProps {
  store: PageDataStore;
  /** Shown instead of the page or screen at this address. */
  children?: ReactNode;
}

/** Needs a router around it. */
export function App({ store, children }: AppProps) {
  const data = useSyncExternalStore(store.subscribe, store.get, store.get);
  const siteState = useMemo(() => ({ data, refresh: () => void store.refresh() }), [data, store]);
  return (
    <SiteContext value={siteState}>
      <Layout store={store}>{children}</Layout>
    </SiteContext>
  );
}
