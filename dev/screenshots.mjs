// `npm run screenshots [name…]`: pictures of the screens for docs/images, taken from a site of their own with its demo
// content. A screen is one line of the table.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumFlags, ensureChromium } from './chromium.mjs';
import { withDemoSite } from './demo-site.mjs';
import { install } from './install.mjs';
import { Progress } from './progress.mjs';
import { root } from './root.mjs';

/** `as`: who is signed in; nobody when it is missing. */
const screens = [
  { name: 'landing', path: '/' },
  { name: 'pricing', path: '/pricing/' },
  { name: 'service', path: '/service/' },
  { name: 'contact', path: '/contact' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'terms', path: '/terms' },
  { name: 'admin', path: '/admin', as: 'admin' },
  { name: 'admin-banner', path: '/edit-banner', as: 'admin' },
];
const widths = [390, 768, 1440];
const themes = ['light', 'dark'];

/** Height of what is kept, in its own widths: the whole page of a phone is a very long strip. */
const proportion = { 390: 2.6, 768: 1.7, 1440: 1.25 };
/** Width in the files, in pixels: enough to judge by, small enough for a repository. */
const kept = { 390: 200, 768: 320, 1440: 560 };

const folder = join(root, 'docs', 'images');

/** Runs in the page: pictures below the fold too, and the font. */
const everythingThere = `
  for (const image of document.images) image.loading = 'eager';
  Promise.all([document.fonts.ready, ...Array.from(document.images, (image) => image.decode().catch(() => {}))]).then(() => {})`;

async function shoot({ page, url, screen, width, theme, sharp }) {
  await page.goto(url + screen.path, { waitUntil: 'networkidle' });
  await page.evaluate(everythingThere);
  const png = await page.screenshot({ fullPage: true });
  const { height } = await sharp(png).metadata();
  const file = join(folder, `${screen.name}-${width}-${theme}.webp`);
  await sharp(png)
    .extract({ left: 0, top: 0, width, height: Math.min(height, Math.round(width * proportion[width])) })
    .resize({ width: kept[width] })
    .webp({ quality: 60, effort: 6 })
    .toFile(file);
  return statSync(file).size;
}

async function signIn(page, url, { email, password }) {
  const headers = { origin: url, 'content-type': 'application/json' };
  const answer = await page.request.post(`${url}/auth/login`, { headers, data: { email, password } });
  if (!answer.ok()) throw new Error(`Signing in as ${email} failed: ${answer.status()}`);
}

async function shootAll({ url, admin }, chosen, progress) {
  const [{ chromium }, { default: sharp }] = await Promise.all([import('playwright-core'), import('sharp')]);
  const executablePath = await ensureChromium(progress);
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  let bytes = 0;
  try {
    mkdirSync(folder, { recursive: true });
    for (const screen of chosen) {
      await progress.step(screen.name, async () => {
        for (const width of widths)
          for (const theme of themes) {
            const context = await browser.newContext({
              viewport: { width, height: width < 700 ? 844 : 900 },
              colorScheme: theme,
              reducedMotion: 'reduce',
            });
            const page = await context.newPage();
            if (screen.as === 'admin') await signIn(page, url, admin);
            bytes += await shoot({ page, url, screen, width, theme, sharp });
            await context.close();
          }
      });
    }
  } finally {
    await browser.close();
  }
  console.log(`\n${chosen.length * widths.length * themes.length} pictures, ${Math.round(bytes / 1000)} kB`);
}

const names = process.argv.slice(2);
const chosen = names.length > 0 ? screens.filter(({ name }) => names.includes(name)) : screens;
if (chosen.length === 0)
  throw new Error(`There is no such screen: ${screens.map(({ name }) => name).join(', ')}`);
const progress = new Progress();
await install(progress);
await withDemoSite(progress, (site) => shootAll(site, chosen, progress));
