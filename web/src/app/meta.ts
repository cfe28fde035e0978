import { type PublicPageName, publicPages } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { listShownPackages } from '../features/pricing/packages.js';
import { money } from '../lib/money.js';
import { plainText } from '../lib/formatted-text.js';
import type { Page } from '../lib/page.js';
import type { PageMeta } from '../lib/rendering.js';
import { tabTitle } from '../lib/tab-title.js';
import { singleRecord, type PageData, type Site } from '../lib/site.js';

/** Search results cut descriptions off here. */
const maxDescriptionLength = 160;

const derivedFromContent: Record<PublicPageName, (site: Site) => { heading: string; text?: string }> = {
  Landing: (site) => {
    const banner = singleRecord(site.banner);
    return { heading: banner?.bannerHeading ?? siteNameOf(site) ?? 'Home', text: banner?.bannerDetails };
  },
  Pricing: (site) => ({ heading: 'Pricing', text: priceList(site) }),
  Service: (site) => ({ heading: 'Services', text: singleRecord(site.serviceHeading)?.servicesubHeading }),
  Contact: (site) => {
    const address = singleRecord(site.footerAddress);
    const ways = [address?.footeraddress, address?.footerPhone, address?.footerEmail];
    return { heading: 'Contact', text: ways.filter(Boolean).join(' · ') };
  },
  Terms: (site) => {
    const terms = singleRecord(site.terms);
    return { heading: terms?.termsHeading ?? 'Terms', text: plainText(terms?.termsText) };
  },
  Privacy: (site) => {
    const privacy = singleRecord(site.privacy);
    return { heading: privacy?.privacyHeading ?? 'Privacy', text: plainText(privacy?.privacyText) };
  },
};

/** `Basic $290.00, Premium $990.00 a month.`, followed by the descriptions of the packages. */
function priceList(site: Site): string | undefined {
  const packages = listShownPackages(site).map(({ record }) => record);
  if (packages.length === 0) return undefined;
  const prices = packages.map(({ packageName, packagePrice }) => `${packageName} ${money(packagePrice)}`);
  return [`${prices.join(', ')} a month.`, ...packages.map(({ packageDetails }) => packageDetails)].join(' ');
}

type Describe = (data: PageData) => PageMeta;

/** The admin's title and description for the page take precedence. */
export const describePublicPage =
  (name: PublicPageName): Describe =>
  (data) => {
    const { heading, text } = derivedFromContent[name](data.site);
    const chosen = data.site.pageTitle?.find(({ page }) => page === name);
    return {
      name,
      heading: oneLine(heading),
      title: oneLine(chosen?.title) || titled(heading, data),
      description: oneLine(chosen?.description) || summary(text),
      canonical: publicPages.find((page) => page.name === name)?.canonical,
      indexed: true,
    };
  };

export const describeScreen =
  (title: string): Describe =>
  (data) => ({ title: titled(title, data), heading: title, indexed: false });

/**
 * The heading is empty if the title is not known. This applies to all screens of `screens.tsx` until that file is loaded, and to those without a
 * `title`.
 */
export const describeHead = ({ name, title = '' }: Page, data: PageData): PageMeta =>
  (name ? describePublicPage(name) : describeScreen(title))(data);

const titled = (heading: string, { site }: PageData) => tabTitle(heading, siteNameOf(site));

const oneLine = (text: string | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();

function summary(text: string | undefined): string | undefined {
  const plain = oneLine(text);
  if (plain.length <= maxDescriptionLength) return plain || undefined;
  const cut = plain.slice(0, maxDescriptionLength - 1);
  const atWord = cut.slice(0, Math.max(cut.lastIndexOf(' '), 0));
  // Never cuts inside a surrogate pair.
  return `${atWord || cut.replace(/[\ud800-\udbff]$/, '')}…`;
}
