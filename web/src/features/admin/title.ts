import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { siteName, usePageData } from '../../lib/site.js';

/** What the tab is called: the screen's own name, which visitors' code does not know. The server's shell has the same. */
export function useTabTitle(title: string): void {
  const { site } = usePageData();
  const { pathname } = useLocation();
  useEffect(() => {
    const name = siteName(site);
    // A shell comes without content: it has the name of the site already, or gets it in a moment.
    if (name || !document.title.startsWith(title)) document.title = name ? `${title} | ${name}` : title;
  }, [title, site, pathname]);
}
