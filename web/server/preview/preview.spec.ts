import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { renderPage } from '../../src/entry-server.js';
import type { DescribedPage } from '../../src/lib/rendering.js';
import { drawLinkPreview } from './draw-preview.js';
import { type LinkPreview, linkPreviewOf } from './preview.js';
import { LinkPreviews } from './previews.js';

const described = (heading: string, siteName?: string): DescribedPage => ({
  status: 200,
  meta: { name: 'Landing', heading, title: heading, canonical: '/', indexed: true },
  siteName,
});
const agency = 'https://agency.example';

describe('a link preview', () => {
  const address = (heading: string, siteName?: string, url = agency) =>
    linkPreviewOf(described(heading, siteName), url)?.address;

  test('has an address that changes with its texts, but not with the address of the site', () => {
    expect(address('A', 'B')).toMatch(/^\/previews\/landing-[0-9a-f]{16}\.png$/);
    expect(address('A', 'B')).toBe(address('A', 'B', 'https://other.example'));
    const addresses = [
      address('A', 'B'),
      address('A2', 'B'),
      address('A', 'B2'),
      address('A'),
      address('', 'AB'),
    ];
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('does not exist for screens', () => {
    const screen = { status: 200, meta: { heading: 'Login', title: 'Login', indexed: false } };
    expect(linkPreviewOf(screen, agency)).toBeUndefined();
  });

  test('names the host if the site has no name, as the structured data of the page does', async () => {
    const publicUrl = `${agency}:8080`;
    const content = { version: 1, sections: {} };
    const page = await renderPage({ path: '/', publicUrl, mapEmbedUrl: null, content });
    const { '@graph': nodes } = JSON.parse(page.structuredData) as { '@graph': Record<string, unknown>[] };
    const { name } = nodes.find((node) => node['@type'] === 'WebSite')!;
    expect([name, linkPreviewOf(page, publicUrl)?.site]).toEqual(['agency.example', 'agency.example']);
  });
});

/** The share of dark pixels in the left part; almost 0 if nothing is written there. */
async function inkIn(image: Buffer, { top, height }: { top: number; height: number }): Promise<number> {
  const { data, info } = await sharp(image)
    .extract({ left: 0, top, width: 820, height })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data.filter((value) => value < 100).length / (info.width * info.height);
}
const headingArea = { top: 160, height: 470 };
const draw = (title: string) => drawLinkPreview({ title, site: 'Northrank', address: '' });

describe('the picture of a link preview', () => {
  test.each([
    ['a word', 'Pricing'],
    ['a sentence', 'Climb the results page, one line at a time.'],
    ['other Latin letters', 'Žluťoučký kůň – świetność, Ệ'],
    ['text that looks like markup', '</span><b>"bold" & \'more\' &amp;'],
    ['unprintable characters', 'a\u0000b\u0007c\ud800d\ufffee\u202ef'],
    ['an endless word', 'Unbreakable'.repeat(11)],
    ['more text than fits', linkPreviewOf(described('many words '.repeat(900)), agency)!.title],
  ])('is drawn for %s', async (_what, title) => {
    const image = await draw(title);
    const { format, width, height } = await sharp(image).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', width: 1200, height: 630 });
    expect(await inkIn(image, headingArea)).toBeGreaterThan(0.005);
    expect(image.length).toBeLessThan(60_000);
  });

  test('differs for another title, and is the same for the same title', async () => {
    expect(await draw('Pricing')).not.toEqual(await draw('Services'));
    expect(await draw('Pricing')).toEqual(await draw('Pricing'));
  });
});

describe('drawn previews', () => {
  const preview = (title: string): LinkPreview => ({ title, site: '', address: `/previews/${title}.png` });

  test('are drawn once for concurrent requests', async () => {
    let drawn = 0;
    const previews = new LinkPreviews(async ({ title }) => Buffer.from(`${title} ${(drawn += 1)}`));
    const images = await Promise.all([1, 2, 3].map(() => previews.getImage(preview('a'))));
    expect(images.map(String)).toEqual(['a 1', 'a 1', 'a 1']);
  });

  test('are limited in number: the oldest are dropped', async () => {
    let drawn = 0;
    const previews = new LinkPreviews(async () => Buffer.from(String((drawn += 1))));
    for (let i = 0; i < 100; i += 1) await previews.getImage(preview(String(i)));
    await previews.getImage(preview('99'));
    expect(drawn).toBe(100);
    await previews.getImage(preview('0'));
    expect(drawn).toBe(101);
  });

  test('are drawn again after a failure', async () => {
    let attempts = 0;
    const previews = new LinkPreviews(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('no memory');
      return Buffer.from('drawn');
    });
    await expect(previews.getImage(preview('a'))).rejects.toThrow('no memory');
    expect(String(await previews.getImage(preview('a')))).toBe('drawn');
  });
});
