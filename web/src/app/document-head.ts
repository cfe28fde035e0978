import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import type { Page } from '../lib/page.js';
import { usePageData } from '../lib/site.js';
import { describeHead } from './meta.js';

/**
 * Updates the title and, if the server wrote them, the description, the canonical address and the robots rule. Once the page or its content changes,
 * removes the link preview and the structured data, which describe the page as rendered by the server.
 */
export function useDocumentHead(page: Page): void {
  const data = usePageData();
  const { pathname } = useLocation();
  // A layout effect runs before the effects of screens that set their own title.
  useLayoutEffect(() => {
    const meta = describeHead(page, data);
    // The heading is empty while the title is not known.
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
