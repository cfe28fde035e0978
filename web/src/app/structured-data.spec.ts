import { describe, expect, test } from '@jest/globals';
import { publicPages } from '#libs/contracts';
import { demoContent } from '../../../apps/content/seed/demo-content.js';
import { describePage, renderPage } from '../entry-server.js';

type Node = Record<string, unknown> & { '@type': string; '@id'?: string };

const origin = 'https://agency.example';
const packageNames = ['Basic', 'Premium', 'Standard'];

const demo: Record<string, unknown[]> = Object.fromEntries(
  Object.entries(demoContent).map(([name, bodies]) => [
    name,
    bodies.map((body, index) => ({ _id: `${name}-${index}`, version: 1, ...body })),
  ]),
);

async function graphOf(path: string, sections = demo): Promise<Node[]> {
  const request = { path, publicUrl: origin, mapEmbedUrl: null, content: { version: 1, sections } };
  const { structuredData } = await renderPage(request);
  const parsed = JSON.parse(structuredData) as { '@context': string; '@graph': Node[] };
  expect(parsed['@context']).toBe('https://schema.org');
  return parsed['@graph'];
}

const only = (graph: Node[], type: string): Node => {
  const nodes = graph.filter((node) => node['@type'] === type);
  expect(nodes).toHaveLength(1);
  return nodes[0]!;
};

const [address] = demoContent.footerAddress;
const [social] = demoContent.footerSocial;
const [about] = demoContent.footerAbout;

describe.each(publicPages)('$path', ({ path, canonical }) => {
  test('describes the agency with the data from the content', async () => {
    expect(only(await graphOf(path), 'Organization')).toEqual({
      '@type': 'Organization',
      '@id': `${origin}/#organization`,
      name: demoContent.siteName[0]!.siteName,
      url: `${origin}/`,
      description: about!.aboutFooterDetails,
      logo: { '@type': 'ImageObject', url: `${origin}${demoContent.logo[0]!.logo}` },
      telephone: address!.footerPhone,
      email: address!.footerEmail,
      address: { '@type': 'PostalAddress', streetAddress: address!.footeraddress },
      sameAs: [social!.fblink, social!.inslink],
    });
  });

  test('names the site and itself', async () => {
    const graph = await graphOf(path);
    expect(only(graph, 'WebSite')).toMatchObject({
      url: `${origin}/`,
      name: demoContent.siteName[0]!.siteName,
    });
    const { meta } = describePage({
      path,
      publicUrl: origin,
      mapEmbedUrl: null,
      content: { version: 1, sections: demo },
    });
    const type = canonical === '/contact' ? 'ContactPage' : 'WebPage';
    expect(only(graph, type)).toMatchObject({
      '@id': origin + canonical,
      url: origin + canonical,
      name: meta.title,
      description: meta.description,
      isPartOf: { '@id': `${origin}/#website` },
    });
  });

  test('has breadcrumbs, unless it is the landing page', async () => {
    const graph = await graphOf(path);
    const crumbs = graph.filter((node) => node['@type'] === 'BreadcrumbList');
    expect(crumbs).toHaveLength(path === '/' ? 0 : 1);
    for (const { itemListElement } of crumbs) {
      expect(itemListElement).toEqual([
        { '@type': 'ListItem', position: 1, name: 'Northrank', item: `${origin}/` },
        { '@type': 'ListItem', position: 2, name: expect.any(String), item: origin + canonical },
      ]);
    }
  });

  test('has unique ids, and no dangling references', async () => {
    const graph = await graphOf(path);
    const ids = graph.map((node) => node['@id']);
    expect(new Set(ids).size).toBe(graph.length);
    const references = [...JSON.stringify(graph).matchAll(/\{"@id":"([^"]+)"\}/g)].map(([, id]) => id);
    expect(references.length).toBeGreaterThan(2);
    for (const id of references) expect(ids).toContain(id);
  });

  test('has no services, offers, questions or empty values on a site without content', async () => {
    const graph = await graphOf(path, {});
    expect(only(graph, 'Organization')).toEqual({
      '@type': 'Organization',
      '@id': `${origin}/#organization`,
      name: 'agency.example',
      url: `${origin}/`,
    });
    expect(graph.map((node) => node['@type'])).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/Service|Offer|FAQPage/)]),
    );
    expect(JSON.stringify(graph)).not.toMatch(/undefined|null|NaN/);
  });
});

test.each(['/pricing/', '/service/'])('%s offers each package at its price, per month', async (path) => {
  const offers = (await graphOf(path)).filter((node) => node['@type'] === 'Offer');
  const expected = packageNames.map((name) => {
    const { packagePrice } = demoContent.pricingPackage.find(({ packageName }) => packageName === name)!;
    return {
      url: `${origin}/pricing/#${name.toLowerCase()}`,
      name,
      price: packagePrice,
      priceCurrency: 'USD',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: packagePrice,
        priceCurrency: 'USD',
        unitCode: 'MON',
      },
    };
  });
  expect(offers).toMatchObject(expected);
});

test('the pricing page has each package as a service, with its offer', async () => {
  const services = (await graphOf('/pricing')).filter((node) => node['@type'] === 'Service');
  expect(services).toMatchObject(
    packageNames.map((name) => ({
      name,
      description: demoContent.pricingPackage.find(({ packageName }) => packageName === name)!.packageDetails,
      offers: { '@id': `${origin}/pricing/#${name.toLowerCase()}` },
    })),
  );
});

test.each(['/', '/service/'])('the structured data of %s has every service on the page', async (path) => {
  const services = (await graphOf(path)).filter((node) => node['@type'] === 'Service');
  expect(services).toMatchObject(
    demoContent.serviceItem.map(({ serviceTitle, serviceDetails, serviceIcon }) => ({
      name: serviceTitle,
      description: serviceDetails,
      image: origin + serviceIcon,
      provider: { '@id': `${origin}/#organization` },
    })),
  );
});

test('the questions and answers of the FAQ are in the structured data of the landing page only', async () => {
  expect(only(await graphOf('/'), 'FAQPage').mainEntity).toEqual(
    demoContent.faqItem.map(({ accodingTitle, accodingText }) => ({
      '@type': 'Question',
      name: accodingTitle,
      acceptedAnswer: { '@type': 'Answer', text: accodingText },
    })),
  );
  for (const { path } of publicPages.filter((page) => page.path !== '/'))
    expect((await graphOf(path)).map((node) => node['@type'])).not.toContain('FAQPage');
});

test('a profile, logo or picture is left out unless its address is a path on this site or begins with http(s)', async () => {
  const hostile = 'javascript:alert(1)';
  const graph = await graphOf('/', {
    ...demo,
    logo: [{ _id: 'x', logo: hostile }],
    footerSocial: [{ _id: 'x', fblink: hostile, inslink: 'mailto:a@b.example' }],
    serviceItem: [{ _id: 'x', serviceTitle: 'A', serviceIcon: '//evil.example/x.png' }],
  });
  expect(only(graph, 'Organization')).not.toHaveProperty('logo');
  expect(only(graph, 'Organization')).not.toHaveProperty('sameAs');
  expect(only(graph, 'Service')).not.toHaveProperty('image');
});

test('screens and unknown addresses have no structured data', async () => {
  for (const path of ['/login', '/dashboard', '/nowhere']) {
    const request = { path, publicUrl: origin, mapEmbedUrl: null, content: { version: 1, sections: demo } };
    expect((await renderPage(request)).structuredData).toBe('');
  }
});
