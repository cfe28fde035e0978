import { publicPages } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { listShownPackages } from '../features/pricing/packages.js';
import { addressKind } from '../lib/address.js';
import type { PageMeta } from '../lib/rendering.js';
import { singleRecord, type PageData } from '../lib/site.js';

/** A node of the graph. Properties without a value are left out of the JSON. */
type Node = { readonly '@type': string } & Readonly<Record<string, unknown>>;

/** `home` and `pricing` are addresses of pages: the ids of services begin with `home`, and those of packages with `pricing`. */
interface Ids {
  home: string;
  organization: string;
  website: string;
  page: string;
  pricing: string;
}

const ref = (id: string) => ({ '@id': id });

/**
 * The JSON-LD (schema.org) of a public page; undefined for screens. What the content does not have is left out, except the site's name: the host
 * takes its place.
 */
export function structuredData(
  meta: PageMeta,
  data: PageData,
): { '@context': string; '@graph': Node[] } | undefined {
  if (!meta.name || !meta.canonical) return undefined;
  const ids = idsOf(meta.canonical, data.publicUrl);
  const graph = [
    organization(ids, data),
    website(ids, data),
    page(ids, meta),
    ...(meta.canonical === '/' ? [] : [breadcrumbs(ids, meta, data)]),
    ...contentNodes(meta, ids, data),
  ];
  return { '@context': 'https://schema.org', '@graph': graph };
}

function idsOf(canonical: string, publicUrl: string): Ids {
  const home = `${publicUrl}/`;
  const pricing = publicPages.find(({ name }) => name === 'Pricing')?.canonical ?? '/';
  return {
    home,
    organization: `${home}#organization`,
    website: `${home}#website`,
    page: publicUrl + canonical,
    pricing: publicUrl + pricing,
  };
}

/** Undefined unless the address is a path on this site, or an `http` or `https` address. */
function absolute(address: string | undefined, publicUrl: string): string | undefined {
  if (addressKind(address) === 'path') return new URL(address ?? '', `${publicUrl}/`).href;
  return /^https?:/i.test(address ?? '') && addressKind(address) === 'elsewhere' ? address : undefined;
}

const nameOf = ({ site, publicUrl }: PageData) => siteNameOf(site) ?? new URL(publicUrl).hostname;

function organization(ids: Ids, data: PageData): Node {
  const { site, publicUrl } = data;
  const logo = absolute(singleRecord(site.logo)?.logo, publicUrl);
  const address = singleRecord(site.footerAddress);
  const social = singleRecord(site.footerSocial);
  const profiles = [social?.fblink, social?.inslink].flatMap((link) => absolute(link, publicUrl) ?? []);
  return {
    '@type': 'Organization',
    '@id': ids.organization,
    name: nameOf(data),
    url: ids.home,
    description: singleRecord(site.footerAbout)?.aboutFooterDetails ?? social?.aboutText,
    logo: logo && { '@type': 'ImageObject', url: logo },
    telephone: address?.footerPhone,
    email: address?.footerEmail,
    address: address?.footeraddress && { '@type': 'PostalAddress', streetAddress: address.footeraddress },
    sameAs: profiles.length > 0 ? profiles : undefined,
  };
}

function website(ids: Ids, data: PageData): Node {
  return {
    '@type': 'WebSite',
    '@id': ids.website,
    url: ids.home,
    name: nameOf(data),
    inLanguage: 'en',
    publisher: ref(ids.organization),
  };
}

function page(ids: Ids, { name, title, description }: PageMeta): Node {
  return {
    '@type': name === 'Contact' ? 'ContactPage' : 'WebPage',
    '@id': ids.page,
    url: ids.page,
    name: title,
    description,
    inLanguage: 'en',
    isPartOf: ref(ids.website),
    about: ref(ids.organization),
  };
}

function breadcrumbs(ids: Ids, { heading }: PageMeta, data: PageData): Node {
  const places = [
    { name: nameOf(data), item: ids.home },
    { name: heading, item: ids.page },
  ];
  return {
    '@type': 'BreadcrumbList',
    '@id': `${ids.page}#breadcrumbs`,
    itemListElement: places.map((place, index) => ({ '@type': 'ListItem', position: index + 1, ...place })),
  };
}

function contentNodes({ name }: PageMeta, ids: Ids, data: PageData): Node[] {
  if (name === 'Landing') return [...services(ids, data), ...questions(ids, data)];
  if (name === 'Pricing') return packages(ids, data).flatMap(({ service, offer }) => [service, offer]);
  if (name === 'Service') {
    const offers = packages(ids, data).map(({ offer }) => offer);
    const offerRefs = offers.map((offer) => ref(String(offer['@id'])));
    return [
      ...services(ids, data).map((service) => ({
        ...service,
        offers: offerRefs.length > 0 ? offerRefs : undefined,
      })),
      ...offers,
    ];
  }
  return [];
}

function services(ids: Ids, { site, publicUrl }: PageData): Node[] {
  return (site.serviceItem ?? []).map((service) => ({
    '@type': 'Service',
    '@id': `${ids.home}#service-${service._id}`,
    name: service.serviceTitle,
    description: service.serviceDetails,
    image: absolute(service.serviceIcon, publicUrl),
    provider: ref(ids.organization),
  }));
}

/** Each shown package is a service with one offer: its monthly price in US dollars. */
function packages(ids: Ids, { site }: PageData): { service: Node; offer: Node }[] {
  return listShownPackages(site).map(({ record, slug }) => {
    const price = { price: record.packagePrice, priceCurrency: 'USD' };
    const serviceId = `${ids.pricing}#${slug}-service`;
    const offerId = `${ids.pricing}#${slug}`;
    const offer = {
      '@type': 'Offer',
      '@id': offerId,
      url: offerId,
      name: record.packageName,
      ...price,
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        ...price,
        // UN/CEFACT's code for a month.
        unitCode: 'MON',
        referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: 'MON' },
      },
      availability: 'https://schema.org/InStock',
      seller: ref(ids.organization),
    };
    const service = {
      '@type': 'Service',
      '@id': serviceId,
      name: record.packageName,
      description: record.packageDetails,
      provider: ref(ids.organization),
      offers: ref(offerId),
    };
    return { service, offer };
  });
}

function questions(ids: Ids, { site }: PageData): Node[] {
  const answered = (site.faqItem ?? []).filter((faq) => faq.accodingTitle && faq.accodingText);
  if (answered.length === 0) return [];
  return [
    {
      '@type': 'FAQPage',
      '@id': `${ids.page}#faq`,
      isPartOf: ref(ids.page),
      mainEntity: answered.map(({ accodingTitle, accodingText }) => ({
        '@type': 'Question',
        name: accodingTitle,
        acceptedAnswer: { '@type': 'Answer', text: accodingText },
      })),
    },
  ];
}
