import { describe, expect, test } from '@jest/globals';
import { fullTest } from '#libs/testing';
import sharp from 'sharp';
import { type ProcessedImage, processImage } from './process-image.js';

const limits = { maxPixels: 50e6 };
const processed = (bytes: Buffer | string) => processImage(Buffer.from(bytes), limits);
const fullSize = ({ files }: ProcessedImage) => Buffer.from(files[0]!.body);

const plain = (width: number, height: number, background = '#3060c0') =>
  sharp({ create: { width, height, channels: 3, background } });
const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100">${inside}</svg>`;

/** The mean of the red channel, 0 to 255. */
async function redness(image: Buffer): Promise<number> {
  const { channels } = await sharp(image).stats();
  return Math.round(channels[0]!.mean);
}

describe('what is served', () => {
  test('is the picture in each of its widths as AVIF and WebP, and at full size as JPEG', async () => {
    const { width, height, files } = await processed(await plain(700, 350).jpeg().toBuffer());
    expect([width, height]).toEqual([700, 350]);
    expect(files.map(({ name }) => name)).toEqual([
      '700x350.jpg',
      ...[160, 320, 640, 700].flatMap((one) => [`${one}.avif`, `${one}.webp`]),
    ]);
    for (const { name, body } of files) {
      const metadata = await sharp(Buffer.from(body)).metadata();
      expect([name, metadata.width]).toEqual([name, parseInt(name)]);
      expect(name).toMatch({ jpeg: /jpg$/, webp: /webp$/, heif: /avif$/ }[metadata.format as 'jpeg']);
    }
  });

  test('is never larger than the upload, nor than pages need', async () => {
    expect(await processed(await plain(20, 10).png().toBuffer())).toMatchObject({ width: 20, height: 10 });
    expect(await processed(await plain(2400, 1200).png().toBuffer())).toMatchObject({
      width: 1920,
      height: 960,
    });
  });

  test('is upright, without metadata about camera and location', async () => {
    const photo = await plain(60, 30)
      .withExif({ IFD0: { Make: 'Camera of Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const image = await processed(photo);
    expect(image).toMatchObject({ width: 30, height: 60 });
    for (const { body } of image.files) {
      const metadata = await sharp(Buffer.from(body)).metadata();
      expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.orientation]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(Buffer.from(body).includes('Camera of Ada')).toBe(false);
    }
  });

  test('is a PNG at full size if the upload has transparent pixels, otherwise a JPEG', async () => {
    const translucent = sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
    });
    const { files } = await processed(await translucent.png().toBuffer());
    expect(files[0]!.name).toBe('20x20.png');
    for (const { body } of files) {
      const [, , , alpha] = (await sharp(Buffer.from(body)).stats()).channels;
      // About 128. Halving and rounding allow for small differences between the formats.
      expect(Math.round(alpha!.mean / 2)).toBe(64);
    }
    const opaque = plain(20, 20).ensureAlpha();
    expect((await processed(await opaque.png().toBuffer())).files[0]!.name).toBe('20x20.jpg');
  });

  test('of an animation is its first frame', async () => {
    const frames = [
      await plain(20, 20, '#ff0000').png().toBuffer(),
      await plain(20, 20, '#0000ff').png().toBuffer(),
    ];
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(2);
    const image = await processed(gif);
    expect(image).toMatchObject({ width: 20, height: 20 });
    expect(await redness(fullSize(image))).toBeGreaterThan(240);
  });

  test('is sRGB, even if the upload is greyscale or CMYK', async () => {
    const cmyk = await plain(40, 40).toColourspace('cmyk').jpeg().toBuffer();
    const grey = await plain(40, 40).greyscale().png().toBuffer();
    for (const bytes of [cmyk, grey]) {
      expect(await sharp(fullSize(await processed(bytes))).metadata()).toMatchObject({
        space: 'srgb',
        channels: 3,
      });
    }
  });
});

describe('an SVG', () => {
  const red = '<rect width="200" height="100" fill="#ff0000" onload="alert(1)"/>';
  /** Each tries to run a script, or to make the renderer read a file or an address. */
  const attacks = [
    `<script>alert(1)</script>`,
    `<foreignObject width="200" height="100"><body xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script>text</body></foreignObject>`,
    `<a xlink:href="javascript:alert(1)"><title>a link</title></a>`,
    `<image xlink:href="file:///etc/passwd" width="200" height="100"/>`,
    `<image xlink:href="http://127.0.0.1:9/x.png" width="200" height="100"/>`,
    `<use xlink:href="file:///etc/passwd#x"/>`,
  ];

  test('is drawn at the maximum size, and nothing of the document is left', async () => {
    const image = await processed(`<?xml version="1.0"?><!-- a logo -->${svg(red + attacks.join(''))}`);
    expect(image).toMatchObject({ width: 1920, height: 960 });
    // A JPEG stores pure red as 254.
    expect(await redness(fullSize(image))).toBe(254);
    for (const { body } of image.files) {
      expect(Buffer.from(body).toString('latin1')).not.toMatch(/script|alert|passwd|svg/i);
    }
  });

  test('is drawn at the maximum size, even if that is more pixels than an upload may have', async () => {
    const image = await processImage(Buffer.from(svg(red)), { maxPixels: 1e6 });
    expect(image).toMatchObject({ width: 1920, height: 960 });
  });

  fullTest('that is tall is drawn at the maximum height', async () => {
    const tall = svg(red).replace('width="200" height="100"', 'width="100" height="400"');
    expect(await processed(tall)).toMatchObject({ width: 1024, height: 4096 });
  });

  fullTest('that claims to be wider than the maximum is drawn at the maximum width', async () => {
    const thin = svg(red).replace(
      'width="200" height="100"',
      'width="30000" height="30" viewBox="0 0 200 1"',
    );
    expect(await processed(thin)).toMatchObject({ width: 1920, height: 2 });
  });

  test.each([
    ['reads a file of this machine', '<!ENTITY x SYSTEM "file:///etc/passwd">', '&x;'],
    ['grows a billionfold', ...billionLaughs()],
  ])('whose entity %s is refused', async (_what, entities, inside) => {
    const text = `<text y="50" font-size="90">${inside}</text>`;
    await expect(processed(`<!DOCTYPE svg [${entities}]>${svg(red + text)}`)).rejects.toThrow(/damaged/);
  });
});

function billionLaughs(): [entities: string, inside: string] {
  const tenOf = (name: string) => `&${name};`.repeat(10);
  const levels = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${tenOf(`l${level}`)}">`);
  return [`<!ENTITY l0 "lol">${levels.join('')}`, '&l9;'];
}

describe('an upload that cannot be used', () => {
  const jpeg = () => plain(800, 600).jpeg().toBuffer();
  /** Claims to be 30 000 × 30 000 pixels. */
  async function hugePng(): Promise<Buffer> {
    const png = await plain(1, 1).png().toBuffer();
    png.writeUInt32BE(30_000, 16);
    png.writeUInt32BE(30_000, 20);
    return png;
  }

  test.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['an empty file', () => Buffer.alloc(0), /is empty/],
    ['text', () => Buffer.from('hello, I am a .png'), /must be a JPEG/],
    ['an HTML page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /must be a JPEG/],
    ['an HTML page that contains an SVG', () => Buffer.from(`<html>${svg('')}</html>`), /must be a JPEG/],
    ['an archive', () => Buffer.from('PK\x03\x04 classes.jar'), /must be a JPEG/],
    ['a PDF', () => Buffer.from('%PDF-1.7 '), /must be a JPEG/],
    ['a TIFF', () => plain(10, 10).tiff().toBuffer(), /must be a JPEG/],
    ['half a photo', async () => (await jpeg()).subarray(0, 2000), /damaged/],
    ['only the header of a PNG', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /damaged/],
    ['an incomplete SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect'), /damaged/],
    ['30 000 × 30 000 pixels', hugePng, /30000 × 30000 pixels/],
  ])('is refused: %s', async (_what, bytes, message) => {
    await expect(processed(await bytes())).rejects.toThrow(message);
  });
});

test('data appended to a picture is not served', async () => {
  const script = '<script>alert(document.domain)</script>';
  const jpeg = await plain(800, 600).jpeg().toBuffer();
  const gif = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
  for (const picture of [jpeg, gif]) {
    const polyglot = Buffer.concat([picture, Buffer.from(`${script}PK\x03\x04 META-INF/MANIFEST.MF`)]);
    const { files } = await processed(polyglot);
    for (const { body } of files)
      expect(Buffer.from(body).toString('latin1')).not.toMatch(/script|PK\x03\x04|MANIFEST/);
  }
});
