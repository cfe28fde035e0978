import { only, type PageData, siteName } from '../lib/site.js';
import type { PageMeta } from '../lib/rendering.js';

const titled = (title: string, { site }: PageData) => {
  const name = siteName(site);
  return name ? `${title} | ${name}` : title;
};

/** Search engines cut off about here. */
const descriptionLength = 160;

function summary(text: string | undefined): string | undefined {
  const plain = text?.replace(/\s+/g, ' ').trim();
  if (!plain || plain.length <= descriptionLength) return plain || undefined;
  return `${plain.slice(0, plain.lastIndexOf(' ', descriptionLength - 1))}…`;
}

type Describe = (data: PageData) => PageMeta;

export const describeLanding: Describe = (data) => {
  const banner = only(data.site.banner);
  return {
    title: titled(banner?.bannerHeading ?? 'Home', data),
    description: summary(banner?.bannerDetails),
    canonical: '/',
    indexed: true,
  };
};

export const describePricing: Describe = (data) => ({
  title: titled('Pricing', data),
  description: summary(data.site.pricingPackage?.map((item) => item.packageDetails ?? '').join(' ')),
  canonical: '/pricing/',
  indexed: true,
});

export const describeService: Describe = (data) => {
  const heading = only(data.site.serviceHeading);
  return {
    title: titled('Services', data),
    description: summary(heading?.servicesubHeading),
    canonical: '/service/',
    indexed: true,
  };
};

export const describeContact: Describe = (data) => {
  const address = only(data.site.footerAddress);
  const ways = [address?.footeraddress, address?.footerPhone, address?.footerEmail];
  return {
    title: titled('Contact', data),
    description: summary(ways.filter(Boolean).join(' · ')),
    canonical: '/contact',
    indexed: true,
  };
};

export const describeTerms: Describe = (data) => ({
  title: titled(only(data.site.terms)?.termsHeading ?? 'Terms', data),
  description: summary(only(data.site.terms)?.termsText),
  canonical: '/terms',
  indexed: true,
});

export const describePrivacy: Describe = (data) => ({
  title: titled(only(data.site.privacy)?.privacyHeading ?? 'Privacy', data),
  description: summary(only(data.site.privacy)?.privacyText),
  canonical: '/privacy',
  indexed: true,
});

/** A screen that is not for search engines. */
export const describeScreen =
  (title: string): Describe =>
  (data) => ({ title: titled(title, data), indexed: false });

export const describeNotFound = describeScreen('Page not found');
