import { chromium, type Page } from 'playwright-core';

/** IP addresses of the containers; in the browser, they have names such as `site.localhost`. */
export interface ContainerAddresses {
  gateway: string;
  paypal: string;
  google: string;
}

const site = 'http://site.localhost:3000';
const buyer = { email: 'buyer@example.com', password: 'a fine long password' };

/** Registers a customer, places an order, and pays for it at the simulator. Returns the customer’s credentials. */
export async function purchase(addresses: ContainerAddresses): Promise<typeof buyer> {
  await inBrowser(addresses, async (page) => {
    await visitPublicPages(page);
    await registerAndOrder(page);
    await pay(page);
  });
  return buyer;
}

export async function joinWithGoogle(addresses: ContainerAddresses): Promise<void> {
  await inBrowser(addresses, async (page) => {
    await page.goto(`${site}/my-order`);
    await page.getByRole('link', { name: 'Join With Google' }).click();
    await waitForHeading(page, 'Choose an account');
    await page.getByRole('button', { name: 'Ada Lovelace' }).click();
    await page.waitForURL(`${site}/my-order`);
    await waitForHeading(page, 'My Orders');
  });
}

/** The browser maps the host names of the Compose settings to the addresses. */
async function inBrowser(
  { gateway, paypal, google }: ContainerAddresses,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const names = { 'site.localhost': gateway, 'paypal.localhost': paypal, 'google.localhost': google };
  const rules = Object.entries(names).map(([name, address]) => `MAP ${name} ${address}`);
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      `--host-resolver-rules=${rules.join(',')}`,
    ],
  });
  try {
    await work(await browser.newPage());
  } finally {
    await browser.close();
  }
}

const waitForHeading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function visitPublicPages(page: Page): Promise<void> {
  const answer = await page.goto(`${site}/`);
  if (answer?.status() !== 200) throw new Error(`The landing page answered ${answer?.status()}`);
  await waitForHeading(page, /\w/);
  await page.goto(`${site}/pricing`);
  await page.getByRole('heading', { name: 'Premium' }).waitFor();
}

async function registerAndOrder(page: Page): Promise<void> {
  const packages = (await page.evaluate(() => fetch('/pricings').then((answer) => answer.json()))) as {
    _id: string;
    packageName: string;
  }[];
  const { _id } = packages.find(({ packageName }) => packageName === 'Premium')!;
  await page.goto(`${site}/order-now/${_id}`);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail').fill(buyer.email);
  await page.getByLabel('Password').fill(buyer.password);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Address').fill('12 St James’s Square, London');
  await page.getByLabel('Country').fill('United Kingdom');
  await page.getByRole('button', { name: 'Place Order Now' }).click();
  await waitForHeading(page, 'Your Pending Orders');
}

async function pay(page: Page): Promise<void> {
  await page.locator('tbody').getByRole('link', { name: 'Pay Now' }).click();
  await waitForHeading(page, 'Pay Now');
  await page.getByRole('button', { name: 'Pay Now' }).click();
  await page.getByRole('radio', { name: /^Card/ }).check();
  await page.getByLabel('Card number').fill('4111 1111 1111 1111');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByRole('link', { name: 'Return to merchant' }).click();
  await waitForHeading(page, 'You Have Paid');
}
