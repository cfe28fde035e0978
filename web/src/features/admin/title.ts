import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { siteName, usePageData } from '../../lib/site.js';

/**
 * What the tab is called: the screen's own name, which visitors' code does not know. The frame of the page names it by its address, after the effects
 * of what is in it; so this comes a moment later.
 */
export function useTabTitle(title: string): void {
  const data = usePageData();
  const { pathname } = useLocation();
  useEffect(() => {
    const name = siteName(data.site);
    const later = setTimeout(() => (document.title = name ? `${title} | ${name}` : title));
    return () => clearTimeout(later);
  }, [title, data, pathname]);
}
