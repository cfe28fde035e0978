import { useEffect } from 'react';
import { siteNameOf } from '#libs/content-model';
import { usePageData } from './site.js';

/** `Pricing | Northrank`; only the heading if that is the site's name, or if the site has no name. */
export function tabTitle(heading: string, siteName: string | undefined): string {
  const title = heading.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return siteName && siteName !== title ? `${title} | ${siteName}` : title;
}

/** For a screen whose title depends on what it shows. Undefined leaves the declared title. */
export function useTabTitle(title: string | undefined): void {
  const data = usePageData();
  useEffect(() => {
    if (title) document.title = tabTitle(title, siteNameOf(data.site));
  }, [title, data]);
}
