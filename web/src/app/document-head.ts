import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import type { Page } from '../lib/page.js';
import { usePageData } from '../lib/site.js';
import { describePage } from './meta.js';

/**
 * Updates title, description, canonical address and the robots rule on navigation, and removes the link preview
 * and the structured data that the server wrote for the first page.
 */
export function useDocumentHead(page: Page): void {
  const data = usePageData();
  const { pathname } = useLocation();
  // A layout effect, so that it runs before the effects of screens that set their own title.
  useLayoutEffect(() => {
    const meta = describePage(page, data);
    if (meta.heading) document.title = meta.title;
    setInHead('meta[name="description"]', 'content', meta.description);
    setInHead('link[rel="canonical"]', 'href', meta.canonical && data.publicUrl + meta.canonical);
    setInHead('meta[name="robots"]', 'content', meta.indexed ? 'index, follow' : 'noindex');
    return () => document.head.querySelectorAll('[property], [type$=json]').forEach((tag) => tag.remove());
  }, [data, page, pathname]);
}

function setInHead(selector: string, name: string, value: string | undefined): void {
  const element = document.head.querySelector(selector);
  if (value) element?.setAttribute(name, value);
  else element?.removeAttribute(name);
}
