import type { Page } from 'playwright-core';
import type { Order } from '#libs/contracts';
import { type PageOptions, Session, type TestBrowser, testStack } from '#libs/testing';
import { visit } from './visit.js';

const { url, admin } = testStack();

export interface Person {
  email: string;
  password: string;
}

let personCount = 0;

export function newPerson(): Person {
  personCount += 1;
  return {
    email: `customer-${process.pid}-${Date.now()}-${personCount}@example.com`,
    password: 'a fine long password',
  };
}

/**
 * Registers this person (unless `isNew` is false) and signs in on a page with its own cookies. `api` is another session of the person. `baseURL`: for
 * a site other than the shared one.
 */
export async function openPageAs(
  browser: TestBrowser,
  person: Person,
  { isNew = true, baseURL = url, ...options }: PageOptions & { isNew?: boolean } = {},
): Promise<{ page: Page; api: Session }> {
  const api = isNew ? await Session.register(baseURL, person) : await Session.signIn(baseURL, person);
  const page = await browser.openPage({ baseURL, reducedMotion: 'reduce', ...options });
  const headers = { origin: baseURL };
  const answer = await page.context().request.post('/auth/login', { data: person, headers });
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`);
  return { page, api };
}

export const openPageAsAdmin = (browser: TestBrowser, options: PageOptions = {}) =>
  openPageAs(browser, admin, { isNew: false, ...options });

/** The stand-in for Google derives the account from the e-mail address. */
export async function chooseGoogleAccount(
  page: Page,
  { email, name }: { email: string; name: string },
): Promise<void> {
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await visit(tab, path);
  return tab;
}

export const pathOf = (page: Page) => new URL(page.url()).pathname;

const today = () =>
  new Date().toLocaleDateString('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' });

export async function placeOrder(
  api: Session,
  packageName = 'Basic',
  overrides: Partial<Order> = {},
): Promise<Order> {
  const { packagePrice } = await getPackage(packageName, api);
  const answer = await api.post<Order>('/new-order', {
    packageName,
    packagePrice,
    customerEmail: api.email,
    customerName: 'Ada Lovelace',
    customerAddress: '12 St James’s Square, London',
    customerCountry: 'United Kingdom',
    paymentStatus: 'UnPaid',
    orderStatus: 'Pending',
    orderDate: today(),
    ...overrides,
  });
  if (answer.status !== 201) throw new Error(`/new-order answered ${answer.status}: ${answer.text}`);
  return answer.json;
}

export interface OfferedPackage {
  _id: string;
  packageName: string;
  packagePrice: string;
}

export async function getPackage(packageName: string, api = Session.visitor(url)): Promise<OfferedPackage> {
  const { json } = await api.get<OfferedPackage[]>('/pricings');
  const found = json.find((candidate) => candidate.packageName === packageName);
  if (!found) throw new Error(`No package is named ${packageName}`);
  return found;
}
