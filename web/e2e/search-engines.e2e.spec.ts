import { beforeAll, describe, expect, test } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import sharp from 'sharp';
import { openScreens, privateShells, publicPages } from '#libs/contracts';
import { eventually, Session, testStack } from '#libs/testing';

const { url, admin } = testStack();

type Content = Record<string, Record<string, string>[]>;
type Node = Record<string, unknown> & { '@type': string };

const canonicals = [...new Set(publicPages.map(({ canonical }) => canonical))];
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const read = async (address: string) => (await fetch(new URL(address, url), asBrowser)).text();
const content = async () =>
  ((await (await fetch(`${url}/site-content`)).json()) as { sections: Content }).sections;

const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

function headOf(html: string) {
  const captured = (pattern: string) => {
    const value = new RegExp(pattern).exec(html)?.[1];
    return value === undefined ? undefined : decoded(value);
  };
  return {
    title: captured('<title>([^<]*)</title>'),
    lang: captured('<html lang="([^"]*)"'),
    canonical: captured('<link rel="canonical" href="([^"]*)"'),
    meta: (name: string) => captured(`<meta (?:name|property)="${name}" content="([^"]*)"`),
  };
}

function graphOf(html: string): Node[] {
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)!;
  return (JSON.parse(json!) as { '@graph': Node[] })['@graph'];
}

describe.each(publicPages)('$path', ({ path, canonical, name }) => {
  let html: string;
  beforeAll(async () => {
    html = await read(path);
  });

  test('has a canonical address, and a title and a description, which the link preview repeats', () => {
    const { title, lang, canonical: address, meta } = headOf(html);
    expect(lang).toBe('en');
    expect(address).toBe(url + canonical);
    expect(title!.length).toBeGreaterThan(5);
    expect(title!.length).toBeLessThanOrEqual(65);
    expect(meta('description')!.length).toBeGreaterThan(30);
    expect(meta('description')!.length).toBeLessThanOrEqual(160);
    expect([meta('og:title'), meta('og:description'), meta('og:url')]).toEqual([
      title,
      meta('description'),
      address,
    ]);
    expect([meta('robots'), meta('twitter:card')]).toEqual(['index, follow', 'summary_large_image']);
  });

  test('has one h1, main, header and footer, and a name for each navigation', () => {
    for (const tag of ['h1', 'main', 'header class="header"', 'footer'])
      expect([tag, html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length]).toEqual([tag, 1]);
    const unnamed = [...html.matchAll(/<nav(?![^>]*aria-label)[^>]*>/g)];
    expect([html.includes('<nav'), unnamed.length]).toEqual([true, 0]);
  });

  test('has a preview picture of the declared size', async () => {
    const { meta } = headOf(html);
    const answer = await fetch(meta('og:image')!);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([width, height].map(String)).toEqual([meta('og:image:width'), meta('og:image:height')]);
  });

  // Repeated, because other specs change a price and the logo of this site for a while.
  test('has structured data from its content', () =>
    eventually(async () => {
      const [site, page] = await Promise.all([content(), read(path)]);
      const graph = graphOf(page);
      const ofType = (type: string) => graph.filter((node) => node['@type'] === type);
      const [address] = site.footerAddress!;
      const [social] = site.footerSocial!;
      expect(ofType('Organization')).toMatchObject([
        {
          name: site.siteName![0]!.siteName,
          logo: { url: url + site.logo![0]!.logo },
          telephone: address!.footerPhone,
          email: address!.footerEmail,
          address: { streetAddress: address!.footeraddress },
          sameAs: [social!.fblink, social!.inslink],
        },
      ]);
      expect(ofType('WebSite')).toMatchObject([{ url: `${url}/` }]);
      expect(ofType('BreadcrumbList')).toHaveLength(name === 'Landing' ? 0 : 1);
      const offered = ofType('Offer').map(({ name: offer, price, priceCurrency }) => [
        offer,
        price,
        priceCurrency,
      ]);
      const shown = ['Basic', 'Premium', 'Standard'].map((wanted) =>
        site.pricingPackage!.find(({ packageName }) => packageName === wanted),
      );
      const expectedOffers = shown.map((item) => [item!.packageName, item!.packagePrice, 'USD']);
      expect(offered).toEqual(name === 'Pricing' || name === 'Service' ? expectedOffers : []);
      const questions = ofType('FAQPage').flatMap(({ mainEntity }) => mainEntity as { name: string }[]);
      expect(questions.map((question) => question.name)).toEqual(
        name === 'Landing' ? site.faqItem!.map(({ accodingTitle }) => accodingTitle) : [],
      );
    }));
});

test('no two pages have the same title or description', async () => {
  const heads = (await Promise.all(canonicals.map(read))).map(headOf);
  expect(new Set(heads.map(({ title }) => title)).size).toBe(canonicals.length);
  expect(new Set(heads.map(({ meta }) => meta('description'))).size).toBe(canonicals.length);
});

test('an admin’s title and description are on the page until they are emptied', async () => {
  const api = await Session.signIn(url, admin);
  const titles = (await api.get<{ _id: string; page: string }[]>('/page-titles')).json;
  const entry = titles.find(({ page }) => page === 'Privacy')!;
  const derived = headOf(await read('/privacy'));
  const hostile = '</title><script>alert(1)</script> & "quotes"';
  await api.put(`/page-title/${entry._id}`, { page: 'Privacy', title: hostile, description: hostile });
  await eventually(async () => {
    const { title, meta } = headOf(
      (await read('/privacy')).replace(/<script type="application.*?<\/script>/gs, ''),
    );
    expect([title, meta('description'), meta('og:title')]).toEqual([hostile, hostile, hostile]);
  });
  await api.put(`/page-title/${entry._id}`, { page: 'Privacy', title: '', description: '' });
  await eventually(async () => {
    const { title, meta } = headOf(await read('/privacy'));
    expect([title, meta('description')]).toEqual([derived.title, derived.meta('description')]);
  });
});

describe('valid HTML', () => {
  const rules = new HtmlValidate({
    extends: ['html-validate:recommended'],
    rules: {
      // Matters of style: what React and `web/server/document.ts` write is valid.
      'doctype-style': 'off',
      'void-style': 'off',
      'attr-case': 'off',
      'attribute-boolean-style': 'off',
      // A list has a role, so it may have a name.
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // Telephone numbers are shown as the admin entered them.
      'tel-non-breaking': 'off',
    },
  });

  test.each([...publicPages.map(({ path }) => path), ...openScreens, '/dashboard', '/admin', '/nowhere'])(
    '%s',
    async (path) => {
      const { results } = await rules.validateString(await read(path));
      const findings = results
        .flatMap(({ messages }) => messages)
        .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`);
      expect(findings).toEqual([]);
    },
  );
});

describe('the sitemap', () => {
  test('has exactly the public pages, at their canonical addresses, each with a time', async () => {
    const xml = await read('/sitemap.xml');
    const entries = [...xml.matchAll(/<url><loc>([^<]+)<\/loc><lastmod>([^<]+)<\/lastmod><\/url>/g)];
    expect(entries.map(([, loc]) => loc).sort()).toEqual(canonicals.map((path) => url + path).sort());
    for (const [, loc, lastmod] of entries) {
      expect(new Date(lastmod!).toISOString()).toBe(lastmod);
      const answer = await fetch(loc!, asBrowser);
      expect([loc, answer.status, answer.headers.get('x-robots-tag')]).toEqual([loc, 200, null]);
      expect(headOf(await answer.text()).canonical).toBe(loc);
    }
  });
});

test('robots.txt names the sitemap, and keeps crawlers out of the areas behind the sign-in', async () => {
  const lines = (await read('/robots.txt')).split('\n');
  expect(lines).toContain(`Sitemap: ${url}/sitemap.xml`);
  for (const area of ['/admin', '/dashboard', '/pay-now/']) expect(lines).toContain(`Disallow: ${area}`);
});

test.each(
  [...openScreens, ...privateShells].map((path) =>
    path.replace(':section', 'terms').replace(':id', '019a0000-0000-7000-8000-000000000001'),
  ),
)('%s is kept out of search engines', async (path) => {
  const answer = await fetch(url + path, asBrowser);
  expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  expect(headOf(await answer.text()).meta('robots')).toBe('noindex');
});

describe('a crawl from the landing page and the sitemap', () => {
  function addressesIn(html: string, at: string): string[] {
    const withoutPageData = html.replace(/<script type="application\/json".*?<\/script>/s, '');
    const addresses = [
      ...withoutPageData.matchAll(/\s(?:href|src|action|poster)="([^"]+)"/g),
      ...withoutPageData.matchAll(/<meta property="og:(?:image|url)" content="([^"]+)"/g),
      ...withoutPageData.matchAll(/"(?:@id|url|item|image)":"([^"]+)"/g),
    ].map(([, address]) => new URL(decoded(address!), at));
    const srcsetAddresses = [...withoutPageData.matchAll(/\ssrcset="([^"]+)"/gi)].flatMap(([, set]) =>
      set!.split(',').map((part) => new URL(part.trim().split(/\s+/)[0]!, at)),
    );
    return [...addresses, ...srcsetAddresses]
      .filter(({ origin }) => origin === url)
      .map(({ pathname, search, hash }) => pathname + search + hash);
  }

  test('visits every public page, and finds no broken link', async () => {
    const toVisit = ['/', '/sitemap.xml', '/robots.txt', '/site.webmanifest'];
    const visited = new Map<string, string>();
    const faults: string[] = [];
    const fragments: { at: string; to: string }[] = [];
    while (toVisit.length > 0) {
      const path = toVisit.pop()!;
      if (visited.has(path)) continue;
      // Addresses that begin with /add- are those to which public forms post. They accept no GET, so OPTIONS checks that they exist.
      const answer = await fetch(url + path, {
        ...asBrowser,
        method: path.startsWith('/add-') ? 'OPTIONS' : 'GET',
      });
      const text = await answer.text();
      visited.set(path, text);
      if (!answer.ok) faults.push(`${path}: ${answer.status}`);
      const type = answer.headers.get('content-type') ?? '';
      const isPage = type.startsWith('text/html') && answer.headers.get('x-robots-tag') === null;
      if (type.startsWith('text/css'))
        toVisit.push(
          ...[...text.matchAll(/url\(["']?([^"')]+)/g)].map(([, to]) => new URL(to!, url + path).pathname),
        );
      if (type.startsWith('application/manifest'))
        toVisit.push(...(JSON.parse(text) as { icons: { src: string }[] }).icons.map(({ src }) => src));
      if (type.startsWith('application/xml'))
        toVisit.push(...[...text.matchAll(/<loc>([^<]+)/g)].map(([, to]) => to!.replace(url, '')));
      if (!isPage) continue;
      for (const to of addressesIn(text, url + path)) {
        toVisit.push(to.split('#')[0]!);
        if (to.includes('#')) fragments.push({ at: path, to });
      }
    }
    expect(faults).toEqual([]);
    for (const canonical of canonicals) expect([...visited.keys()]).toContain(canonical);
    expect(visited.size).toBeGreaterThan(50);
    // Ids in the structured data are not elements of a page.
    const linksToElements = fragments.filter(
      ({ to }) => !/#(organization|website|breadcrumbs|service-|.*-service$)/.test(to),
    );
    const missing = linksToElements.filter(({ to }) => {
      const [path, fragment] = to.split('#');
      return !visited.get(path!)?.includes(`id="${fragment}"`);
    });
    expect(missing).toEqual([]);
  });
});

test.each(['/no/such/page', '/nothing-here', '/contact/more'])('%s returns 404', async (path) => {
  const answer = await fetch(url + path, asBrowser);
  expect([answer.status, answer.headers.get('x-robots-tag')]).toEqual([404, 'noindex']);
  const html = await answer.text();
  expect(headOf(html).meta('robots')).toBe('noindex');
  expect(headOf(html).canonical).toBeUndefined();
});
