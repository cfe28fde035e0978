import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';

/** In pixels. */
const maxSide = 640;

// Other decoders would add attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    ...['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
    ...['VipsForeignLoadHeifBuffer', 'VipsForeignLoadNsgifBuffer'],
  ],
});
sharp.concurrency(1);
sharp.cache(false);

const sharpFormats: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'heif',
  'image/gif': 'gif',
};

/**
 * Keeps only pixels, so nothing hidden in the file gets into the preview. Throws if the file is damaged, encrypted or not of this type, or if it is a
 * picture with more than `maxPixels`.
 */
export async function renderPreview(bytes: Buffer, type: string, maxPixels: number): Promise<Uint8Array> {
  const drawn =
    type === 'application/pdf' ? await drawFirstPage(bytes) : await drawPicture(bytes, type, maxPixels);
  return drawn.webp({ quality: 78 }).toBuffer();
}

async function drawPicture(bytes: Buffer, type: string, maxPixels: number): Promise<Sharp> {
  const options = { limitInputPixels: maxPixels, failOn: 'error', pages: 1 } as const;
  const { format, width, height } = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
  if (format !== sharpFormats[type])
    throw new Error('The file is not of the type that its first bytes indicate');
  // The size comes from the header, so nothing has been decoded yet.
  if (width * height > maxPixels) throw new Error('The picture has too many pixels');
  return sharp(bytes, options)
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
}

async function drawFirstPage(bytes: Buffer): Promise<Sharp> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  const page = document.getPage(0);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  if (!(originalWidth > 0 && originalHeight > 0)) throw new Error('The first page has no size');
  const scale = maxSide / Math.max(originalWidth, originalHeight);
  const size = {
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
  };
  const { data, width, height } = await page.render({ ...size, render: 'bitmap' });
  // Where nothing is drawn, the page is transparent.
  return sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: 'white' });
}
