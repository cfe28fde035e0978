import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { allSections, type Section, sections } from '#libs/content-model';
import type { Image } from '#libs/contracts';
import { sampleBody, sampleEvery, Session, TestBrowser, fullTest } from '#libs/testing';
import { adminCredentials, type SiteUnderTest, startSite } from '../../apps/gateway/test/site.harness.js';
import { findFaults } from './faults.js';
import { visit } from './visit.js';
import { contentScreens, editAddressOf, type ScreenPart } from '../src/features/admin/content-screens.js';

let site: SiteUnderTest;
let browser: TestBrowser;
let page: Page;
let api: Session;

type StoredRecord = Record<string, string> & { _id: string; version: number };

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ inBrowser: true }), TestBrowser.open()]);
  const { url } = site;
  api = await site.admin();
  page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce', width: 1280, height: 900 });
  const answer = await page.request.post('/auth/login', { data: adminCredentials, headers: { origin: url } });
  expect(answer.ok()).toBe(true);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const stored = async ({ routes }: Section) => (await api.get<StoredRecord[]>(routes.list)).json;
/** Creates a record in each wanted section that has none, so that each `describe` also works alone. */
async function ensureRecords(...wanted: Section[]): Promise<void> {
  for (const section of wanted)
    if ((await stored(section)).length === 0) await api.post(section.routes.create, sampleBody(section));
}
const toast = (text: string) => page.locator('.toast').filter({ hasText: text }).last();
/** Waits for a toast with exactly this text, and dismisses it. Playwright's search by text ignores the double space of one documented toast. */
async function seeToast(text: string): Promise<void> {
  await toast(text).waitFor();
  expect(await toast(text).locator('span').first().textContent()).toBe(text);
  await toast(text).getByRole('button', { name: 'Dismiss' }).click();
}

async function fill(form: ReturnType<Page['locator']>, body: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(body)) {
    const input = form.locator(`[name="${name}"]`);
    if ((await input.evaluate((element) => element.tagName)) === 'SELECT') await input.selectOption(value);
    else await input.fill(value);
  }
}

/** Mail texts are left out, because their screens differ: `mail-texts.full.spec.ts` tests them. */
const parts = contentScreens
  .flatMap(({ path, parts: all }) => all.map((part) => [part.section.name, path, part] as const))
  .filter(([name]) => name !== sections.mailText.name);

// All sections behave alike, so `npm test` tries only the first; `npm run test:full` tries all.
describe.each(sampleEvery(parts.length, parts))('%s, at %s', (_name, path, part) => {
  const { section } = part;
  const required = Object.keys(section.fields).filter((name) => section.fields[name]?.required);
  const editedField = required.find((name) => section.fields[name]?.kind !== 'choice');

  test('is created with its form, which names missing fields, and shows the documented toast', async () => {
    await page.goto(path);
    const form = page.getByRole('form', { name: part.addHeading, exact: true });
    await form.getByRole('button', { name: part.addHeading }).click();
    expect(await form.locator('.field__error:not(:empty)').count()).toBe(required.length);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(required[0]);
    const body = sampleBody(section);
    await fill(form, body);
    expect(await form.locator('.field__error:not(:empty)').count()).toBe(0);
    await form.getByRole('button', { name: part.addHeading }).click();
    await seeToast(section.toasts.created);
    expect(await stored(section)).toMatchObject([body]);
  });

  test('is edited on its own screen, and shows the documented toast', async () => {
    const [record] = await stored(section);
    const address = editAddressOf(part, record!._id);
    await page.locator(`main a[href="${address}"]`).click();
    await page.getByRole('heading', { level: 1, name: part.editTitle, exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(address);
    const form = page.getByRole('form', { name: part.saveLabel, exact: true });
    if (!editedField) {
      await form.getByRole('button', { name: part.saveLabel }).click();
      return seeToast(section.toasts.updated);
    }
    const input = form.locator(`[name="${editedField}"]`);
    await input.fill('');
    await form.getByRole('button', { name: part.saveLabel }).click();
    await form.locator(`#${editedField}-error`).waitFor();
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    const newValue = section.fields[editedField]?.kind === 'price' ? '12.50' : `/changed-${section.name}`;
    await input.fill(newValue);
    await form.getByRole('button', { name: part.saveLabel }).click();
    await seeToast(section.toasts.updated);
    expect(await stored(section)).toMatchObject([
      { ...sampleBody(section), [editedField]: newValue, version: 2 },
    ]);
  });
});

describe('as documented', () => {
  beforeAll(() => ensureRecords(...allSections));

  /** Headings and links in the specification's section ‘Screens and routes’. Some have the text of a record that `sampleBody` makes. */
  const named = [
    ['/edit-banner', 'link', 'Update Banner'],
    ['/step-section', 'heading', 'Upcoming Events'],
    ['/edit-service', 'link', 'Edit Services'],
    ['/edit-faq', 'link', 'Edit FAQs'],
    ['/add-pricing', 'link', 'Edit Pricing'],
    ['/edit-video', 'heading', 'Add Team Member'],
    ['/edit-testimonial', 'link', 'personName a'],
    ['/add-contact', 'link', 'contactTitle a'],
    ['/step-section', 'link', /step/],
  ] as const;
  test.each(sampleEvery(3, named))('%s has the %s %s', async (path, role, name) => {
    await page.goto(path);
    await page.locator('main').getByRole(role, { name }).first().waitFor();
  });

  const forms = [
    ['banner', '/banner/', 'Update Banner'],
    ['about', '/', 'Update About'],
    ['teamMember', '/video/', 'Update Video'],
    ['serviceItem', '/service-edit/', 'Update service'],
    ['step', '/edit-step/', 'Update Step'],
  ] as const;
  test.each(sampleEvery(3, forms))('the form of %s at %s{id} says %s', async (name, path, button) => {
    const [record] = await stored(sections[name]);
    await page.goto(path + record!._id);
    await page.getByRole('button', { name: button, exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Admin menu' }).first().waitFor();
  });

  test('the packages are listed with name and price per month', async () => {
    await page.goto('/add-pricing');
    const row = page.locator('.record');
    await row.getByRole('heading', { name: /pricingPackage|packageName/ }).waitFor();
    expect(await row.getByText('$499.00/month').count()).toBe(1);
  });
});

describe('an editor loses no work', () => {
  beforeAll(() => ensureRecords(sections.banner, sections.faqItem));

  const banner: ScreenPart = contentScreens[0]!.parts[0]!;
  const openBanner = async (): Promise<StoredRecord> => {
    const [record] = await stored(sections.banner);
    await page.goto(`/banner/${record!._id}`);
    await page.getByRole('button', { name: 'Update Banner' }).waitFor();
    return record!;
  };
  const heading = () => page.locator('[name="bannerHeading"]');
  const details = () => page.locator('[name="bannerDetails"]');
  const save = () => page.getByRole('button', { name: 'Update Banner' }).click();

  test('unsaved values show in the preview', async () => {
    await page.goto('/edit-banner');
    await page.getByRole('link', { name: 'Update Banner' }).click();
    await heading().fill('Seen before it is saved');
    const preview = page.frameLocator('iframe[title="How visitors will see it"]');
    await preview.getByRole('heading', { name: 'Seen before it is saved' }).waitFor();
    expect(await stored(sections.banner)).not.toMatchObject([{ bannerHeading: 'Seen before it is saved' }]);
  });

  test('leaving by a link or by Back asks first', async () => {
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Settings').click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await heading().inputValue()).toBe('Seen before it is saved');
    await page.goBack();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await heading().inputValue()).toBe('Seen before it is saved');
    expect(new URL(page.url()).pathname).toContain('/banner/');
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Settings').click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/setting');
  });

  test('a draft survives leaving and a reload, and is deleted by saving', async () => {
    await openBanner();
    await page.getByRole('button', { name: 'Restore draft' }).click();
    expect(await heading().inputValue()).toBe('Seen before it is saved');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole('button', { name: 'Restore draft' }).click();
    expect(await heading().inputValue()).toBe('Seen before it is saved');
    await save();
    await seeToast(banner.section.toasts.updated);
    await page.reload();
    await page.getByRole('button', { name: 'Update Banner' }).waitFor();
    expect(await page.getByRole('button', { name: 'Restore draft' }).count()).toBe(0);
    expect(await heading().inputValue()).toBe('Seen before it is saved');
  });

  fullTest('a failing server leaves all values as typed, and the form says why', async () => {
    const before = await openBanner();
    await page.route(
      '**/update-banner/*',
      (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({ title: 'Unavailable', status: 503, detail: 'Try again in a moment.' }),
        }),
      { times: 1 },
    );
    await heading().fill('Typed through an outage');
    await save();
    await page.getByRole('alert').getByText('Try again in a moment.').waitFor();
    expect(await heading().inputValue()).toBe('Typed through an outage');
    expect(await page.locator('.toast').count()).toBe(0);
    await save();
    await seeToast(banner.section.toasts.updated);
    expect(await stored(sections.banner)).toMatchObject([
      { bannerHeading: 'Typed through an outage', version: before.version + 1 },
    ]);
  });

  fullTest(
    'when the session ends, the person signs in on the same screen, and the save continues',
    async () => {
      await openBanner();
      await heading().fill('Typed through the end of a session');
      await page.context().clearCookies();
      await save();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Password').fill(adminCredentials.password);
      await dialog.getByRole('button', { name: 'Login' }).click();
      await seeToast(banner.section.toasts.updated);
      expect(await heading().inputValue()).toBe('Typed through the end of a session');
      expect(await stored(sections.banner)).toMatchObject([
        { bannerHeading: 'Typed through the end of a session' },
      ]);
    },
  );

  test('another admin’s change is shown field by field, and not overwritten', async () => {
    const before = await openBanner();
    const theirs = { ...before, bannerHeading: 'Theirs', bannerDetails: 'Their details' };
    expect((await api.put(`/update-banner/${before._id}`, theirs)).status).toBe(200);
    await heading().fill('Mine');
    await page.locator('[name="buttonOneText"]').fill('My button');
    await save();
    const conflict = page.getByRole('alert').filter({ hasText: 'Someone else edited this in the meantime' });
    const field = (name: string) => conflict.getByRole('group', { name, exact: true });
    // If only the other admin changed a field, the default is ‘Theirs’; if only this one did, ‘Yours’.
    expect(await field('Details').getByLabel('Theirs').isChecked()).toBe(true);
    expect(await field('First button: text').getByLabel('Yours').isChecked()).toBe(true);
    await field('Heading').getByLabel('Theirs').check();
    await conflict.getByRole('button', { name: 'Save choices' }).click();
    await seeToast(banner.section.toasts.updated);
    expect(await stored(sections.banner)).toMatchObject([
      { bannerHeading: 'Theirs', bannerDetails: 'Their details', buttonOneText: 'My button' },
    ]);
    expect(await heading().inputValue()).toBe('Theirs');
  });

  test('the history shows what changed, and restoring shows the result first', async () => {
    const before = await openBanner();
    await api.put(`/update-banner/${before._id}`, { ...before, bannerHeading: 'Edited elsewhere' });
    await openBanner();
    await heading().fill('Not saved yet');
    await page.getByText('History', { exact: true }).click();
    const [firstOldWord] = sampleBody(sections.banner).bannerHeading!.split(' ');
    const latest = page.locator('.history__entries > li').first();
    await latest.getByText(/^Changed: Heading/).click();
    await latest.locator('ins', { hasText: 'Edited' }).waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    const question = page.getByRole('dialog', { name: 'Restore version 1?' });
    await question.locator('del', { hasText: 'Edited' }).first().waitFor();
    await question.locator('ins', { hasText: firstOldWord }).first().waitFor();
    await question.getByText('Your unsaved changes will be lost.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await heading().inputValue()).toBe('Not saved yet');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await question.getByRole('button', { name: 'Restore version' }).click();
    await seeToast(banner.section.toasts.updated);
    expect(await stored(sections.banner)).toMatchObject([sampleBody(sections.banner)]);
    expect(await details().inputValue()).toBe(sampleBody(sections.banner).bannerDetails);
  });

  fullTest('a double click adds one record, and deleting asks first', async () => {
    await page.goto('/edit-faq');
    const form = page.getByRole('form', { name: 'Add FAQ', exact: true });
    await fill(form, sampleBody(sections.faqItem, 'twice'));
    const preview = page.frameLocator('iframe[title="How visitors will see it"]');
    await preview.getByText('accodingTitle twice').waitFor({ state: 'attached' });
    await form.getByRole('button', { name: 'Add FAQ' }).dblclick();
    await seeToast('FAQ Item is Added');
    expect(await stored(sections.faqItem)).toHaveLength(2);
    await page.getByRole('button', { name: 'Delete accodingTitle twice' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete question' }).click();
    await seeToast('Item is Deleted');
    expect(await stored(sections.faqItem)).toHaveLength(1);
    expect(await page.getByText('accodingTitle twice').count()).toBe(0);
  });

  fullTest('deleted records are restored, and records are reordered, by keyboard only', async () => {
    const [first] = await stored(sections.faqItem);
    const added = await api.post<{ _id: string }>('/add-faq-item', sampleBody(sections.faqItem, 'second'));
    const second = added.json._id;
    await page.goto('/edit-faq');
    await page.getByRole('button', { name: 'Move accodingTitle second up' }).press('Enter');
    const undo = page.getByRole('button', { name: 'Undo' });
    await page.getByText('‘accodingTitle second’ is now number 1 of 2').waitFor();
    const ids = async () => (await stored(sections.faqItem)).map(({ _id }) => _id);
    expect(await ids()).toEqual([second, first!._id]);
    // The button keeps the focus when its row has moved.
    const up = page.getByRole('button', { name: 'Move accodingTitle second up' });
    expect(await up.evaluate((button) => button === document.activeElement)).toBe(true);
    await undo.press('Enter');
    await page.getByText('is now number 1 of 2').waitFor({ state: 'detached' });
    expect(await ids()).toEqual([first!._id, second]);
    await page.getByRole('button', { name: 'Delete accodingTitle second' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete question' }).press('Enter');
    await toast('Item is Deleted').waitFor();
    expect(await ids()).toEqual([first!._id]);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Undo');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'accodingTitle second' }).waitFor();
    expect(await ids()).toEqual([first!._id, second]);
    await api.delete(`/faq-item/${second}`);
  });

  fullTest('the audit log shows changes, can be filtered, and links to the record', async () => {
    await page.goto('/audit-log?section=faqItem');
    const row = page.getByRole('row').filter({ hasText: 'Restored: Question' }).first();
    await row.getByText(adminCredentials.email).waitFor();
    const response = page.waitForResponse(/\/audit\?.*search=Theirs.*section=banner/);
    await page.getByRole('searchbox', { name: 'Search' }).fill('Theirs');
    await page.getByLabel('Section').selectOption('Banner');
    await page.waitForURL('**/audit-log?section=banner&search=Theirs');
    await response;
    await page.locator('table[aria-busy="false"]').waitFor();
    const changed = page.getByRole('row').filter({ hasText: 'Changed: Banner' }).first();
    await changed.locator('summary').click();
    await changed.locator('del').first().waitFor();
    expect(await findFaults(page)).toEqual([]);
    await changed.getByRole('link').click();
    await page.waitForURL('**/banner/*');
    await page.waitForFunction(() => document.title.startsWith('Update Banner'));
  });
});

fullTest(
  'the address keeps the search, sort order and page size of a long list, whose records can be moved only in site order',
  async () => {
    const existing = (await stored(sections.contactDetail)).length;
    const added: string[] = [];
    for (let number = existing + 1; number <= 12; number += 1) {
      const body = { contactImg: '/a.png', contactTitle: `Way ${number}`, contactDetails: `Call ${number}` };
      added.push((await api.post<StoredRecord>('/add-contact', body)).json._id);
    }
    await visit(page, '/add-contact?size=10');
    const names = page.locator('.record h3');
    const pager = page.getByRole('navigation', { name: 'Pages of contact details' });
    await pager.getByText('Page 1 of 2').waitFor();
    expect(await names.count()).toBe(10);
    expect(await page.getByRole('button', { name: 'Move Way 9 down' }).count()).toBe(1);
    await pager.getByRole('button', { name: 'Next' }).click();
    await pager.getByText('Page 2 of 2').waitFor();
    expect(await names.allInnerTexts()).toEqual(['Way 11', 'Way 12']);
    await page.getByLabel('Sort').selectOption('Name, Z to A');
    await page.waitForURL('**/add-contact?size=10&sort=name&direction=desc');
    await page.locator('.record:first-child h3', { hasText: 'Way 12' }).waitFor();
    expect((await names.allInnerTexts()).slice(0, 3)).toEqual(['Way 12', 'Way 11', 'Way 10']);
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show site order' }).click();
    await page.getByRole('button', { name: 'Move Way 9 down' }).waitFor();
    expect(new URL(page.url()).search).toBe('?size=10');
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('call 12');
    await page.waitForURL('**/add-contact?size=10&search=call+12');
    await page.getByText('1 of 12 contact details found').waitFor();
    expect(await names.allInnerTexts()).toEqual(['Way 12']);
    expect(await findFaults(page)).toEqual([]);
    for (const id of added) await api.delete(`/contacts/${id}`);
  },
);

describe('a picture', () => {
  const field = () => page.locator('.image-field');
  const address = () => page.locator('[name="bannerImage"]');
  const library = () => page.getByRole('dialog', { name: 'Images' });
  const picture = (background: string, width = 1600, height = 900) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  const inLibrary = async () => (await api.get<Image[]>('/images')).json;
  beforeAll(() => ensureRecords(sections.banner));
  beforeEach(async () => {
    const [record] = await stored(sections.banner);
    await visit(page, `/banner/${record!._id}`);
  });

  test('is dragged into the form, described and saved, and visitors get it in a suitable size', async () => {
    const bytes = [...(await picture('#c8361b'))];
    const files = await page.evaluateHandle((data) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(data)], 'team.png', { type: 'image/png' }));
      return transfer;
    }, bytes);
    await field().dispatchEvent('dragover', { dataTransfer: files });
    await field().dispatchEvent('drop', { dataTransfer: files });
    await page.waitForFunction(() =>
      document.querySelector<HTMLInputElement>('[name="bannerImage"]')?.value.startsWith('/images/'),
    );
    await page.getByRole('button', { name: 'Describe or replace' }).click();
    await library().getByLabel('Description').fill('The team at work');
    expect(await findFaults(page)).toEqual([]);
    await library().getByRole('button', { name: 'Save description' }).click();
    await library().getByText('Description is saved').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Describe or replace');
    await page.getByRole('button', { name: 'Update Banner' }).click();
    await toast('Banner is Updated').waitFor();
    const visitor = await browser.openPage({ baseURL: api.url, width: 390, height: 800 });
    await visit(visitor, '/');
    const shown = visitor.locator('.banner picture img');
    await shown.evaluate((image: HTMLImageElement) => image.decode());
    const seen = await shown.evaluate((image: HTMLImageElement) => ({
      file: image.currentSrc.split('/').at(-1),
      alt: image.alt,
      size: [image.getAttribute('width'), image.getAttribute('height')],
    }));
    expect(seen).toEqual({ file: '640.avif', alt: 'The team at work', size: ['1600', '900'] });
    await visitor.context().close();
  });

  fullTest(
    'is pasted, and a form that is submitted during the upload waits for it and saves the new address',
    async () => {
      const before = await address().inputValue();
      const bytes = [...(await picture('#1d5fa8', 24, 18))];
      let letThrough!: () => void;
      const held = new Promise<void>((resolve) => (letThrough = resolve));
      await page.route('**/images?*', async (route) => {
        await held;
        await route.continue();
      });
      await address().evaluate((input, data) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([new Uint8Array(data)], 'pasted.png', { type: 'image/png' }));
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, bytes);
      await field().getByText('pasted.png').waitFor();
      await page.getByRole('button', { name: 'Update Banner' }).click();
      await page.getByText('Your changes will be saved when the upload finishes').waitFor();
      expect((await stored(sections.banner))[0]).toMatchObject({ bannerImage: before });
      letThrough();
      await toast('Banner is Updated').waitFor();
      await page.unroute('**/images?*');
      const saved = (await stored(sections.banner))[0]!.bannerImage;
      expect(saved).toMatch(/^\/images\/.+\/24x18\.jpg$/);
      expect(await address().inputValue()).toBe(saved);
      // A later test needs the former picture.
      await address().fill(before);
      await page.getByRole('button', { name: 'Update Banner' }).click();
      await page.waitForFunction(() => !document.querySelector('.record-form__unsaved'));
      const [pasted] = (await inLibrary()).filter(({ name }) => name === 'pasted.png');
      expect((await api.delete(`/images/${pasted!._id}`)).status).toBe(200);
    },
  );

  fullTest('is refused at the field if the file is not an image, and the field keeps its value', async () => {
    const before = await address().inputValue();
    const buffer = Buffer.from('<!doctype html><script>alert(1)</script>');
    const file = { name: 'holiday.png', mimeType: 'image/png', buffer };
    await field().locator('input[type="file"]').setInputFiles(file);
    await field().getByRole('alert').filter({ hasText: 'holiday.png must be a JPEG' }).waitFor();
    expect(await address().inputValue()).toBe(before);
  });

  fullTest('is found in the library and chosen without a mouse, and deleted if it is not used', async () => {
    await api.send('POST', '/images?name=spare.png', { body: await picture('#0b6b53', 30, 20) });
    await page.getByRole('button', { name: 'Describe or replace' }).press('Enter');
    await library().getByRole('radio', { name: 'spare.png' }).waitFor();
    // Tab leads from the search to the picture that is in the field.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('label')?.textContent)).toBe('team.png');
    await page.keyboard.press('ArrowUp');
    await library().getByText('30 × 20 pixels').waitFor();
    expect(await library().getByRole('radio', { name: 'spare.png' }).isChecked()).toBe(true);
    await library().getByRole('button', { name: 'Use this image' }).press('Enter');
    expect(await address().inputValue()).toMatch(/^\/images\/.+\/30x20\.jpg$/);
    await page.getByRole('button', { name: 'Describe or replace' }).press('Enter');
    await library().getByRole('searchbox').fill('spare');
    await library().getByRole('radio', { name: 'team.png' }).waitFor({ state: 'detached' });
    await library().getByRole('button', { name: 'Delete' }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Delete this image?' });
    await question.getByRole('button', { name: 'Cancel' }).press('Enter');
    await question.waitFor({ state: 'detached' });
    await library().getByRole('button', { name: 'Delete' }).press('Enter');
    await question.getByRole('button', { name: 'Delete image' }).press('Enter');
    await library().getByText('No images match').waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('search');
    expect((await inLibrary()).map(({ name }) => name)).toEqual(['team.png']);
  });
});
