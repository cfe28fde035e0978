import { describe, expect, test } from '@jest/globals';
import { allSections, type SectionName } from '#libs/content-model';
import { newsletterConsent, openScreens, privateShells, publicPages } from '#libs/contracts';
import { sampleBody } from '#libs/testing';
import { renderPage } from './entry-server.js';

type Sections = Record<string, Record<string, unknown>[]>;

const aRecordId = '0190a5f4-5c1e-7000-8000-000000000001';

/** Four steps, four packages, and one record of every other section. Unless set here, texts are the names of their fields, followed by ' a'. */
function fullSite(): Sections {
  const sections = Object.fromEntries(
    allSections.map((section) => [section.name, [{ _id: aRecordId, ...sampleBody(section) }]]),
  ) as Sections;
  const steps = ['1', '2', '3', '4'].map((stepNumber) => ({
    _id: `step-${stepNumber}`,
    stepTitle: `title ${stepNumber}`,
    stepDetails: `details of step ${stepNumber}`,
    stepNumber,
  }));
  const packages = ['Standard', 'Basic', 'Gold', 'Premium'].map((packageName) => ({
    ...sections.pricingPackage![0],
    _id: `id-of-${packageName}`,
    packageName,
  }));
  return { ...sections, step: steps, pricingPackage: packages };
}

async function render(path: string, sections: Sections | null = fullSite()) {
  const page = await renderPage({
    path,
    publicUrl: 'https://agency.example',
    mapEmbedUrl: 'https://maps.example/?q={address}',
    content: sections && { version: 7, sections },
  });
  return { ...page, text: page.markup.replace(/<!-- -->/g, '').replace(/<[^>]+>/g, '\n') };
}

const withRecordId = (path: string) => path.replace(':id', aRecordId);
const everyPath = [
  ...publicPages.map(({ path }) => path),
  ...openScreens,
  ...privateShells.map(withRecordId),
];

describe('the address', () => {
  test.each(publicPages)(
    '$path, with or without a trailing slash, is indexed as $canonical',
    async ({ path, canonical }) => {
      for (const spelling of path === '/' ? ['/'] : [path, `${path}/`]) {
        const { status, meta } = await render(spelling);
        expect({ status, canonical: meta.canonical, indexed: meta.indexed }).toEqual({
          status: 200,
          canonical,
          indexed: true,
        });
      }
    },
  );

  test.each(openScreens)('%s has the site’s logo, and is kept out of search engines', async (path) => {
    const { status, meta, markup, data } = await render(path);
    expect({ status, indexed: meta.indexed }).toEqual({ status: 200, indexed: false });
    const [{ logo }] = fullSite().logo as [{ logo: string }];
    expect(markup).toContain(logo);
    expect(JSON.parse(data)).toMatchObject({ contentOf: 'frame', version: 7 });
  });

  test.each([...openScreens, ...privateShells].map(withRecordId))(
    '%s has a shell, kept out of search engines',
    async (path) => {
      const { status, meta } = await render(path, null);
      expect({ status, indexed: meta.indexed }).toEqual({ status: 200, indexed: false });
    },
  );

  test('/<id>, the edit screen of the section About, is found', async () => {
    expect((await render(`/${aRecordId}`, null)).status).toBe(200);
  });

  test.each(['/nowhere', '/a/b/c', '/banner', '/%E0%A4%A', '//evil.example', '/nowhere/'])(
    '%s is not found',
    async (path) => {
      const { status, text, meta } = await render(path);
      expect(status).toBe(404);
      expect(text).toContain('Page not found');
      expect(meta).toMatchObject({ title: expect.stringContaining('Page not found'), indexed: false });
    },
  );
});

describe('the HTML of a page', () => {
  const landing: SectionName[] = [
    'banner',
    'serviceHeading',
    'serviceItem',
    'workSection',
    'faqHeading',
    'faqItem',
    'testimonialText',
    'testimonial',
    'newsletter',
    'footerAbout',
    'footerAddress',
    'copyright',
  ];
  const texts = (name: SectionName) =>
    allSections
      .filter((section) => section.name === name)
      .flatMap((section) =>
        Object.entries(section.fields).map(([field, { kind }]) => ({ section, field, kind })),
      )
      .filter(({ kind }) => kind === 'text' || kind === 'longText')
      .map(({ section, field }) => sampleBody(section)[field]);

  test.each(landing)('the landing page shows every text of %s', async (name) => {
    const { text } = await render('/');
    for (const expected of texts(name)) expect(text).toContain(expected);
  });

  test('the newsletter form states the built-in consent if the content has none', async () => {
    const { markup } = await render('/', {});
    const form = markup.slice(markup.indexOf('action="/add-subscriber"'), markup.lastIndexOf('</form>'));
    expect(form).toContain(`<p class="newsletter__consent" id="newsletter-consent">${newsletterConsent}</p>`);
  });

  test('each step has the details of the record with its number', async () => {
    const site = fullSite();
    const { text } = await render('/', { ...site, step: site.step!.toReversed() });
    const positions = ['stepOne a', 'details of step 1', 'stepTwo a', 'details of step 2'].map((part) =>
      text.indexOf(part),
    );
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(positions[0]).toBeGreaterThan(0);
  });

  test('the counters have a trailing plus', async () => {
    const { text } = await render('/');
    for (const name of ['happyClients', 'projectComplete', 'yearofExperience', 'winingAward']) {
      expect(text).toContain(`${name}Number a+`);
    }
  });

  test('only the packages Basic, Premium and Standard are shown, in this order, with seven, eight and seven points', async () => {
    const { markup } = await render('/pricing/');
    const cards = markup.split('<article').slice(1);
    expect(cards.map((card) => /<h2[^>]*>([^<]+)/.exec(card)?.[1])).toEqual(['Basic', 'Premium', 'Standard']);
    expect(cards.map((card) => card.match(/packagePoint/g)?.length)).toEqual([7, 8, 7]);
    expect(cards.map((card) => /href="(\/order-now\/[^"]+)"/.exec(card)?.[1])).toEqual([
      '/order-now/id-of-Basic',
      '/order-now/id-of-Premium',
      '/order-now/id-of-Standard',
    ]);
    expect(cards[0]).toContain('$499');
    expect(cards[0]).toContain('/month');
  });

  test('empty points are not listed, and missing packages are left out', async () => {
    const { pricingPackage = [] } = fullSite();
    const basic = {
      ...pricingPackage.find(({ packageName }) => packageName === 'Basic'),
      packagePointTwo: ' ',
    };
    const { markup } = await render('/pricing', { ...fullSite(), pricingPackage: [basic] });
    expect(markup.match(/<article/g)).toHaveLength(1);
    expect(markup.match(/packagePoint/g)).toHaveLength(6);
  });

  test('the admin’s text about payment replaces the built-in text', async () => {
    const builtIn = 'Prices are per month. You pay after placing your order.';
    const { paymentText, ...site } = fullSite();
    expect((await render('/pricing', site)).text).toContain(builtIn);
    const { text } = await render('/pricing', { ...site, paymentText: paymentText! });
    expect(text).toContain('howPaymentWorks a');
    expect(text).not.toContain(builtIn);
  });

  test('the skill bars are at 85, 65 and 79 percent with their labels', async () => {
    const { text, markup } = await render('/service/');
    for (const part of ['aboutPointone a', '85%', 'aboutPointwo a', '65%', 'aboutPointhree a', '79%'])
      expect(text.replaceAll('\n', '')).toContain(part);
    expect(markup).toContain('width="85%"');
  });

  test('the contact page offers a map, but does not load it by itself', async () => {
    const { text, markup } = await render('/contact');
    expect(text).toContain('Show the map');
    expect(markup).not.toMatch(/<iframe|https:\/\/maps/);
  });

  test('without the section footerAbout, the footer shows the text of the section footerSocial', async () => {
    const { footerAbout: _, ...site } = fullSite();
    expect((await render('/', site)).text).toContain('aboutText a');
  });

  test.each([...publicPages.map(({ path }) => path), '/login', '/register', '/nowhere'])(
    '%s has one h1',
    async (path) => {
      expect((await render(path)).markup.match(/<h1/g)).toHaveLength(1);
    },
  );

  test.each(everyPath)('%s has no inline style and no inline script', async (path) => {
    const { markup, preloads } = await render(path);
    expect(markup + preloads).not.toMatch(/\sstyle=|\son\w+=|<script|<style/);
  });
});

test.each([
  ['open', 'Unsubscribe'],
  ['used', 'You’re unsubscribed'],
] as const)(
  'for a suppressed subscriber, the page of an unsubscribe link that is %s has the title %j',
  async (link, title) => {
    const { meta } = await renderPage({
      path: '/unsubscribe',
      publicUrl: 'https://agency.example',
      mapEmbedUrl: '',
      content: null,
      newsletterPage: {
        link: 'unsubscribe',
        token: 'x',
        asked: false,
        subscription: {
          emailMasked: 'a***@example.com',
          status: 'suppressed',
          link,
          unsubscribeToken: null,
          consent: '',
        },
      },
    });
    expect(meta.title).toContain(title);
  },
);

describe('missing content', () => {
  test.each(publicPages)('$path renders from a site without any record', async ({ path }) => {
    const { status, markup } = await render(path, {});
    expect(status).toBe(200);
    expect(markup).not.toMatch(/undefined|null|NaN/);
    expect(markup.match(/<h1/g)).toHaveLength(1);
  });

  test.each(allSections.map(({ name }) => name))(
    'without %s the pages render without errors',
    async (name) => {
      const { [name]: _, ...site } = fullSite();
      for (const { path } of publicPages) {
        const { markup } = await render(path, site);
        expect(markup).not.toMatch(/undefined|\[object/);
      }
    },
  );

  test.each(allSections.map(({ name }) => name))(
    'a record of %s without fields is tolerated',
    async (name) => {
      for (const { path } of publicPages) {
        const { markup } = await render(path, { ...fullSite(), [name]: [{ _id: aRecordId }] });
        expect(markup).not.toMatch(/undefined|\[object/);
      }
    },
  );
});

describe('hostile content', () => {
  const attack = '</script><script>alert(1)</script><!--\u2028\u2029 & "quotes"';

  test('text is escaped in the markup and in the data block', async () => {
    const site = fullSite();
    site.banner = [{ ...site.banner![0], bannerHeading: attack }];
    const { markup, data } = await render('/', site);
    expect(markup).not.toContain('<script');
    expect(data).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(data).site.banner[0].bannerHeading).toBe(attack);
  });

  test('an address that would run code, or that looks like a path but leads to another site, is not a link', async () => {
    const site = fullSite();
    site.banner = [
      { ...site.banner![0], buttonOneLink: 'javascript:alert(1)', buttonTwoLink: '//evil.example' },
    ];
    site.footerSocial = [{ ...site.footerSocial![0], fblink: ' java\tscript:alert(1)' }];
    const { markup } = await render('/', site);
    expect(markup).not.toMatch(/href="\s*java/);
    expect(markup).not.toContain('evil.example');
  });
});

test('the data block leaves out a section that no page shows, and the fields that only editors need', async () => {
  const site = fullSite();
  site.logo = [{ ...site.logo![0], version: 3, createdAt: 'then', updatedAt: 'now' }];
  const data = JSON.parse((await render('/', site)).data) as { site: Sections; version: number };
  expect(data.site.designItem).toBeUndefined();
  expect(data.site.logo?.[0]).toEqual({
    _id: aRecordId,
    logo: expect.any(String),
    logoOnDark: expect.any(String),
  });
  expect(data.version).toBe(7);
});
