import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type Session, TestBrowser, testStack } from '#libs/testing';
import { findFaults } from './faults.js';
import { openPageAsAdmin } from './person.js';
import { visit } from './visit.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

interface Logo {
  _id: string;
  logo: string;
  logoOnDark?: string;
}

/** The logo is a bar of this colour, on a transparent background. */
async function uploadLogo(api: Session, color: string): Promise<string> {
  const bar = await sharp({ create: { width: 200, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer();
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
  const body = await sharp({ create: { width: 300, height: 80, channels: 4, background: transparent } })
    .composite([{ input: bar, left: 50, top: 20 }])
    .png()
    .toBuffer();
  const headers = { 'Content-Type': 'image/png' };
  const { json } = await api.send<{ address: string }>('POST', '/images?name=bar.png', { body, headers });
  return json.address;
}

test('an admin is warned of a logo that is hard to see, and a second logo is shown on dark backgrounds', async () => {
  const { page, api } = await openPageAsAdmin(browser);
  const [stored] = (await api.get<Logo[]>('/logo')).json;
  const [dark, light] = [await uploadLogo(api, '#12161f'), await uploadLogo(api, '#f4f1ea')];
  await visit(page, `/edit-logo/${stored!._id}`);
  const logo = page.getByRole('textbox', { name: 'Logo', exact: true });
  const logoOnDark = page.getByRole('textbox', { name: 'Logo for dark backgrounds' });
  await logo.fill(light);
  await page.getByText('hard to see on the light header').waitFor();
  await logo.fill(dark);
  await page.getByText('hard to see on dark backgrounds, such as the footer').waitFor();
  expect(await page.getByText('hard to see on the light header').count()).toBe(0);
  expect(await findFaults(page)).toEqual([]);
  await logoOnDark.fill(light);
  await page.getByText('hard to see').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Update Logo' }).click();
  await page.getByText('Logo is Updated').waitFor();

  try {
    const visitor = await browser.openPage({ baseURL: url, colorScheme: 'light' });
    await visit(visitor, '/');
    const shown = (place: string) =>
      visitor
        .locator(`${place} img`)
        .evaluate((image: HTMLImageElement) => new URL(image.currentSrc).pathname);
    // Pages show the picture in other sizes, whose files are in the same folder.
    const folderOf = (address: string) => address.slice(0, address.lastIndexOf('/'));
    expect(await shown('.header__logo')).toContain(folderOf(dark));
    await visitor.locator('.footer__top').scrollIntoViewIfNeeded();
    await visitor.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.footer__top img')?.currentSrc,
    );
    expect(await shown('.footer__top')).toContain(folderOf(light));
    await visitor.emulateMedia({ colorScheme: 'dark' });
    await visit(visitor, '/');
    expect(await shown('.header__logo')).toContain(folderOf(light));
  } finally {
    const { _id, logo, logoOnDark = '' } = stored!;
    await api.put(`/logo/${_id}`, { logo, logoOnDark });
  }
});
