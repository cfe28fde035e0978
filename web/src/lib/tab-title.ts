import { useEffect } from 'react';
import { siteNameOf } from '#libs/content-model';
import { usePageData } from './site.js';

/** `Pricing | Northrank`; without the site's name where it says the same. */
export function tabTitle(heading: string, siteName: string | undefined): string {
  const title = heading.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return siteName && siteName !== title ? `${title} | ${siteName}` : title;
}

/**
 * Sets the title of the browser's tab for a screen whose title depends on what it shows; undefined leaves it as
 * the table of screens has it.
 */
export function useTabTitle(title: string | undefined): void {
  const data = usePageData();
  useEffect(() => {
    if (title) document.title = tabTitle(title, siteNameOf(data.site));
  }, [title, data]);
}
