// `npm run screenshots [name…]`: takes screenshots of a temporary site with demo content, for docs/images.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from '../tools/chromium.mjs';
import { withDemoSite } from '../tools/demo-site.mjs';
import { install } from '../tools/install.mjs';
import { Progress } from '../tools/progress.mjs';
import { root } from '../tools/root.mjs';

/**
 * `as`: who is signed in. In paths, `:customer` is the id of the sample customer, `:order` of their newest order, and `:package` of the
 * Premium package.
 */
const shots = [
  { name: 'landing', path: '/' },
  { name: 'pricing', path: '/pricing/' },
  { name: 'service', path: '/service/' },
  { name: 'contact', path: '/contact' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'terms', path: '/terms' },
  { name: 'order-form', path: '/order-now/:package', as: 'customer' },
  { name: 'pay-now', path: '/pay-now/:order', as: 'customer' },
  { name: 'dashboard', path: '/dashboard', as: 'customer' },
  { name: 'admin', path: '/admin', as: 'admin' },
  { name: 'admin-banner', path: '/edit-banner', as: 'admin' },
  { name: 'admin-orders', path: '/total-orders', as: 'admin' },
  { name: 'admin-order', path: '/admin/payment-status/:order', as: 'admin' },
  { name: 'admin-customer', path: '/customer/:customer', as: 'admin' },
  { name: 'admin-mail', path: '/setting/mailText/orderPlaced', as: 'admin' },
];
const widths = [390, 768, 1440];
const themes = ['light', 'dark'];

/** As multiples of the width. A whole page on a phone is very long. */
const maxHeights = { 390: 2.6, 768: 1.7, 1440: 1.25 };
const outputWidth = { 390: 200, 768: 320, 1440: 560 };

const folder = join(root, 'docs', 'images');

/** Runs in the page. Also makes the pictures below the fold load. */
const waitForPicturesAndFonts = `
  for (const image of document.images) image.loading = 'eager';
  Promise.all([document.fonts.ready, ...Array.from(document.images, (image) => image.decode().catch(() => {}))]).then(() => {})`;

async function shoot({ page, url, shot, width, theme, sharp, ids }) {
  const path = shot.path.replace(/:(\w+)/, (_, name) => ids[name]);
  await page.goto(url + path, { waitUntil: 'networkidle' });
  await page.evaluate(waitForPicturesAndFonts);
  const png = await page.screenshot({ fullPage: true });
  const { height } = await sharp(png).metadata();
  const file = join(folder, `${shot.name}-${width}-${theme}.webp`);
  await sharp(png)
    .extract({ left: 0, top: 0, width, height: Math.min(height, Math.round(width * maxHeights[width])) })
    .resize({ width: outputWidth[width] })
    .webp({ quality: 60, effort: 6 })
    .toFile(file);
  return statSync(file).size;
}

/** Its calls reject unless the answer is 2xx. */
function clientOf(request, url) {
  const headers = { origin: url, accept: 'application/json' };
  const call = async (method, path, data) => {
    const answer = await request.fetch(url + path, { method, headers, ...(data && { data }) });
    if (!answer.ok())
      throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    get: (path) => call('GET', path),
    post: (path, data) => call('POST', path, data),
    put: (path, data) => call('PUT', path, data),
  };
}

const customer = { email: 'ada@example.com', password: 'a fine long password' };

/** A site's first days: orders (some of them paid), subscribers and a message. */
async function createSampleData(browser, { url, admin }) {
  const [customerContext, adminContext] = await Promise.all([browser.newContext(), browser.newContext()]);
  const customerClient = clientOf(customerContext.request, url);
  const adminClient = clientOf(adminContext.request, url);
  await customerClient.post('/auth/register', customer);
  await adminClient.post('/auth/login', admin);
  const packages = await customerClient.get('/pricings');
  let order;
  for (const [index, name] of ['Standard', 'Basic', 'Premium', 'Basic'].entries()) {
    const { packageName, packagePrice } = packages.find((offered) => offered.packageName === name);
    order = await customerClient.post('/new-order', {
      packageName,
      packagePrice,
      customerEmail: customer.email,
      customerName: 'Ada Lovelace',
      customerAddress: '12 St James’s Square, London',
      customerCountry: 'United Kingdom',
    });
    if (index < 2) await adminClient.put(`/order/${order._id}`, { paymentStatus: 'Paid' });
  }
  for (const name of ['grace', 'alan', 'edsger', 'barbara'])
    await customerClient.post('/add-subscriber', { email: `${name}@example.com` });
  await customerClient.post('/add-message', {
    fullName: 'Grace Hopper',
    emailAddress: 'grace@example.com',
    subject: 'A second site',
    message: 'We are opening a shop in Boston in May. Could you look at its site before that?',
  });
  await Promise.all([customerContext.close(), adminContext.close()]);
  return {
    customer: order.accountId,
    order: order._id,
    package: packages.find(({ packageName }) => packageName === 'Premium')._id,
  };
}

async function shootAll({ url, admin }, chosen, progress) {
  const [{ chromium }, { chromiumFlags }, { default: sharp }] = await Promise.all([
    import('playwright-core'),
    import('../../libs/testing/src/browser.ts'),
    import('sharp'),
  ]);
  const executablePath = await ensureChromium(progress);
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  let bytes = 0;
  try {
    mkdirSync(folder, { recursive: true });
    let ids;
    await progress.step('Sample data', async () => {
      ids = await createSampleData(browser, { url, admin });
    });
    const credentials = { admin, customer };
    for (const shot of chosen) {
      await progress.step(shot.name, async () => {
        for (const width of widths)
          for (const theme of themes) {
            const context = await browser.newContext({
              viewport: { width, height: width < 700 ? 844 : 900 },
              colorScheme: theme,
              reducedMotion: 'reduce',
            });
            const page = await context.newPage();
            if (shot.as) await clientOf(page.request, url).post('/auth/login', credentials[shot.as]);
            bytes += await shoot({ page, url, shot, width, theme, sharp, ids });
            await context.close();
          }
      });
    }
  } finally {
    await browser.close();
  }
  console.log(
    `\n${chosen.length * widths.length * themes.length} screenshots, ${Math.round(bytes / 1000)} kB`,
  );
}

const names = process.argv.slice(2);
const chosen = names.length > 0 ? shots.filter(({ name }) => names.includes(name)) : shots;
const unknown = names.filter((wanted) => !shots.some(({ name }) => name === wanted));
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. Choose from ${shots.map(({ name }) => name).join(', ')}.`);
const progress = new Progress();
await install(progress);
await withDemoSite(progress, (site) => shootAll(site, chosen, progress));
