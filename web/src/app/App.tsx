import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { refreshedPageData } from '../lib/page-data.js';
import { type PageData, SiteContext } from '../lib/site.js';
import { Layout } from './Layout.js';

interface AppProps {
  /** What the page was rendered from; the browser may read it anew. */
  data: PageData;
  /** In place of the screen at this address. */
  children?: ReactNode;
}

/** The application, within a router. */
export function App({ data: rendered, children }: AppProps) {
  const [data, setData] = useState(rendered);
  const reading = useRef(false);
  const refresh = useCallback(() => {
    if (reading.current) return;
    reading.current = true;
    void refreshedPageData(data).then((read) => {
      reading.current = false;
      setData(read);
    });
  }, [data]);
  const site = useMemo(() => ({ data, refresh }), [data, refresh]);
  return (
    <SiteContext value={site}>
      <Layout>{children}</Layout>
    </SiteContext>
  );
}
