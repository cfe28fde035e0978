import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { publicPages } from '#libs/contracts';
import { eventually, Session, TestBrowser } from '#libs/testing';
import { demoContent } from '../../apps/content/seed/demo-content.js';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { Launch, temporaryDataDir } from '../../dev/test/launcher.js';
import { findFaults } from './faults.js';
import { visit } from './visit.js';

/* The owner's first hour, on a new site for each value of SEED: from the setup guide to a customer's paid order. At the end, nothing names the
   demo's agency any more. */

const admin = { email: 'owner@summit-search.com', password: 'the owner’s password' };
const customer = { email: 'customer@example.org', password: 'a fine long password' };
const siteName = 'Summit Search';
const demoSiteName = /northrank/i;

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

describe.each(['demo', 'none'] as const)('the first hour with SEED=%s', (seed) => {
  const dataDir = temporaryDataDir();
  const isEmpty = seed === 'none';
  let launch: Launch;
  let page: Page;
  let api: Session;
  beforeAll(async () => {
    launch = new Launch(dataDir.path, {
      SEED: seed,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    });
    const baseURL = await launch.ready();
    page = await browser.openPage({ baseURL, reducedMotion: 'reduce' });
    api = await Session.signIn(baseURL, admin);
  });
  afterAll(async () => {
    await launch?.stop();
    dataDir.remove();
  });

  const guide = () => page.getByRole('region', { name: 'Set up your site' });
  const stepNamed = (title: string) => guide().getByRole('listitem').filter({ hasText: title });

  async function takeStep(title: string, fields: Record<string, string>): Promise<void> {
    await visit(page, '/admin');
    await stepNamed(title).getByRole('link').click();
    const [first] = Object.keys(fields);
    const form = page.locator('form.record-form', { has: page.locator(`[name="${first}"]`) });
    for (const [field, value] of Object.entries(fields)) {
      const input = form.locator(`[name="${field}"]`);
      await input.waitFor();
      await ((await input.evaluate(({ tagName }) => tagName)) === 'SELECT'
        ? input.selectOption(value)
        : input.fill(value));
    }
    const saved = page.waitForResponse((response) =>
      ['POST', 'PUT', 'PATCH'].includes(response.request().method()),
    );
    await form.locator('[type="submit"]').click();
    expect((await saved).ok()).toBe(true);
  }

  test('the admin signs in, and sees what is missing', async () => {
    await visit(page, '/login');
    await page.getByLabel('E-mail').fill(admin.email);
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL((url) => url.pathname !== '/login');
    await visit(page, '/admin');
    await guide().getByText('0 of 8 done').waitFor();
    expect(await guide().getByRole('listitem').count()).toBe(8);
    expect(await findFaults(page)).toEqual([]);
  });

  test('a step leads to its field by keyboard', async () => {
    await stepNamed('Name your site').getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'siteName');
  });

  test('steps are ticked once they are done', async () => {
    const [basic, premium, standard] = demoContent.pricingPackage;
    await takeStep('Name your site', { siteName });
    await takeStep('Add your logo', { logo: '/icon-512.png' });
    await takeStep('Set up PayPal', { paypalEmail: 'money@summit-search.com' });
    if (isEmpty) await takeStep('Set your packages and prices', { ...basic!, packagePrice: '123.00' });
    else await takeStep('Set your packages and prices', { packagePrice: '123.00' });
    await setOtherPrices([premium!, standard!]);
    await takeStep('Write your terms and privacy policy', {
      termsHeading: 'Our terms',
      termsText: 'We agree.',
    });
    await takeStep('Write your terms and privacy policy', {
      privacyHeading: 'Our privacy policy',
      privacyText: 'We keep little.',
    });
    await takeStep('Write a title for search results', {
      ...(isEmpty && { page: 'Landing' }),
      title: 'SEO from the summit',
    });
    await visit(page, '/admin');
    await guide().getByText('6 of 8 done').waitFor();
  });

  /** Through the API: the form was tried with the first package. */
  async function setOtherPrices(packages: readonly { packageName: string }[]): Promise<void> {
    type Stored = { _id: string; packageName: string };
    const stored = (await api.get<Stored[]>('/pricings')).json;
    for (const body of packages) {
      const existing = stored.find(({ packageName }) => packageName === body.packageName);
      const priced = { ...body, packagePrice: '456.00' };
      const { status } = existing
        ? await api.put(`/pricing/${existing._id}`, priced)
        : await api.post('/add-pricing', priced);
      expect(status).toBe(existing ? 200 : 201);
    }
  }

  test('a postponed step can be brought back; a guide without open steps closes, and can be opened again', async () => {
    const team = stepNamed('Introduce your team');
    await team.getByRole('button', { name: 'Later' }).click();
    await team.getByRole('button', { name: 'Bring back' }).click();
    await team.getByRole('button', { name: 'Later' }).click();
    await team.getByText('Postponed').waitFor();
    await stepNamed('Send e-mails').getByRole('button', { name: 'Later' }).click();
    await guide().waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await visit(page, '/admin');
    expect(await guide().count()).toBe(0);
    await page.getByRole('button', { name: 'Setup guide' }).click();
    await guide().waitFor();
  });

  if (isEmpty)
    test('there is no demo content to remove', async () => {
      expect(await page.getByRole('button', { name: 'Remove demo content' }).count()).toBe(0);
    });
  else
    test('the rest of the demo content is removed after a preview, restored, and removed again', async () => {
      const remove = async () => {
        await guide().getByRole('button', { name: 'Remove demo content' }).click();
        const dialog = page.getByRole('dialog', { name: 'Remove demo content from your pages?' });
        await dialog.getByText('5 testimonials').click();
        await dialog.getByText('Jonas Weber').waitFor();
        expect(await dialog.getByText('Site name', { exact: true }).count()).toBe(0);
        expect(await findFaults(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Remove demo content' }).click();
        await page.getByText('Demo content removed from your pages').waitFor();
      };
      await remove();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Demo content restored').waitFor();
      await remove();
      await guide().getByRole('button', { name: 'Remove demo content' }).waitFor({ state: 'detached' });
    });

  let mailsSince: Date;

  test('a customer orders and pays', async () => {
    mailsSince = new Date();
    const { url, paypal, mail } = launch.stack;
    const buyer = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
    await visit(buyer, '/pricing/');
    await buyer.getByRole('link', { name: 'Order Basic' }).click();
    await buyer.getByRole('link', { name: 'Create an account' }).click();
    await buyer.getByRole('heading', { name: 'Welcome! Register to continue' }).waitFor();
    await buyer.getByLabel('E-mail').fill(customer.email);
    await buyer.getByLabel('Password').fill(customer.password);
    await buyer.getByRole('button', { name: 'Register' }).click();
    // Mails about an order go only to a confirmed address.
    const { text } = await eventually(() => MailCatcher.at(mail!.url).newest({ to: customer.email }));
    const token = /\/verify-email#token=([\w-]+)/.exec(text)![1]!;
    expect((await Session.visitor(url).post('/auth/verify-email', { token })).status).toBe(200);
    await buyer.getByLabel('Your name').fill('Ada Lovelace');
    await buyer.getByLabel('Address').fill('12 St James’s Square, London');
    await buyer.getByLabel('Country').fill('United Kingdom');
    await buyer.getByRole('button', { name: 'Place Order Now' }).click();
    await buyer.locator('tbody').getByRole('link', { name: 'Pay Now' }).click();
    await buyer.getByRole('button', { name: 'Pay Now' }).click();
    await buyer.waitForURL(`${paypal!.url}/**`);
    expect(await buyer.locator('body').innerText()).toContain('money@summit-search.com');
    await buyer.getByRole('button', { name: /^Pay \$123/ }).click();
    await buyer.getByRole('link', { name: 'Return to merchant' }).click();
    await buyer.getByRole('heading', { level: 1, name: 'You Have Paid' }).waitFor();
    await buyer.getByRole('term').filter({ hasText: 'Seller' }).waitFor();
    const receipt = await buyer.locator('body').innerText();
    expect(receipt).toContain(siteName);
    expect(receipt).not.toMatch(demoSiteName);
  });

  test('all pages and mails and the manifest have the new name, and nothing has the demo’s', async () => {
    const { url, mail } = launch.stack;
    const read = async (path: string) => {
      const answer = await fetch(url + path, { headers: { accept: 'text/html' } });
      return [path, await answer.text()] as const;
    };
    const pages = await Promise.all(publicPages.map(({ path }) => read(path)));
    for (const [path, html] of pages) {
      expect([path, html.includes(`<meta property="og:site_name" content="${siteName}">`)]).toEqual([
        path,
        true,
      ]);
      expect([
        path,
        html.includes(`"@type":"Organization","@id":"${url}/#organization","name":"${siteName}"`),
      ]).toEqual([path, true]);
    }
    const [, manifest] = await read('/site.webmanifest');
    expect(JSON.parse(manifest)).toMatchObject({ name: siteName, short_name: siteName });

    const catcher = MailCatcher.at(mail!.url);
    const mails = await eventually(async () => {
      const sent = (await catcher.list()).filter(({ receivedAt }) => new Date(receivedAt) >= mailsSince);
      const subjects = (to: string) => sent.filter((one) => one.to === to).map(({ subject }) => subject);
      expect(subjects(customer.email)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^Confirm your e-mail address/),
          expect.stringMatching(/^Order #\d+ received/),
          expect.stringMatching(/^Payment received: order #\d+/),
        ]),
      );
      expect(subjects(admin.email)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^New order/), expect.stringMatching(/^Paid/)]),
      );
      return sent;
    });
    const opened = await Promise.all(mails.map(({ id }) => catcher.read(id)));
    for (const { subject, text, headers } of opened) {
      expect([subject, headers.find((header) => header.name === 'from')?.value]).toEqual([
        subject,
        expect.stringMatching(new RegExp(`^"?${siteName}"? <`)),
      ]);
      expect(text).toContain(siteName);
    }

    const texts = [
      ...pages,
      await read('/site.webmanifest'),
      await read('/sitemap.xml'),
      await read('/site-content'),
    ];
    const everything = [...texts, ...opened.map((one) => [one.subject, JSON.stringify(one)] as const)];
    expect(everything.filter(([, text]) => demoSiteName.test(text)).map(([where]) => where)).toEqual([]);
  });
});
