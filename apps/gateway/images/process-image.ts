import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { largestImage, widthsOf } from '#libs/contracts';
import { type ImageKind, imageKindOf } from './image-kind.js';

/** What the uploaded picture became. */
export interface ProcessedImage {
  /** Of the full size, in pixels. */
  width: number;
  height: number;
  /** The full size first, in the format that everything can read. */
  files: { name: string; body: Uint8Array }[];
}

/** The bytes are at fault; the message says how, for the person who sent them, and reads after ‘The picture’. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage';
}

export interface ImageLimits {
  /** Of what is uploaded, width times height. */
  maxPixels: number;
}

// Only these readers: what the others can be made to do is nobody's business here.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    ...['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
    ...['VipsForeignLoadHeifBuffer', 'VipsForeignLoadNsgifBuffer', 'VipsForeignLoadSvgBuffer'],
  ],
});
// One thread and no memory kept: one picture is processed at a time, beside those who are served.
sharp.concurrency(1);
sharp.cache(false);

/** What the library calls them. */
const formats: Record<ImageKind, string> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'heif',
  gif: 'gif',
  svg: 'svg',
};

/**
 * Makes the files that are served of what was uploaded. Everything is drawn anew, so that nothing but pixels survives: no metadata (camera, place), no
 * script of an SVG, nothing that was hidden in or behind the picture. Of an animation this is the first frame. An SVG is drawn in the largest size.
 * Throws UnusableImage.
 */
export async function processImage(bytes: Buffer, { maxPixels }: ImageLimits): Promise<ProcessedImage> {
  const kind = imageKindOf(bytes);
  if (!kind) {
    throw new UnusableImage(
      bytes.length === 0 ? 'is empty' : 'must be a JPEG, PNG, WebP, AVIF, GIF or SVG image',
    );
  }
  const { data, info } = await draw(bytes, kind, maxPixels).catch((error: unknown) => {
    throw error instanceof UnusableImage ? error : new UnusableImage(sentenceOf(error));
  });
  const full = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  // Flat colours and sharp edges suffer sooner than a photo.
  const quality = kind === 'svg' || info.channels === 4 ? flat : photo;
  const fallback = info.channels === 4 ? 'png' : 'jpg';
  const files = [
    { name: `${info.width}x${info.height}.${fallback}`, body: await fallbacks[fallback](full()).toBuffer() },
  ];
  for (const width of widthsOf(info.width)) {
    const scaled = full().resize({ width });
    files.push({ name: `${width}.avif`, body: await scaled.clone().avif(quality.avif).toBuffer() });
    files.push({ name: `${width}.webp`, body: await scaled.webp(quality.webp).toBuffer() });
  }
  return { width: info.width, height: info.height, files };
}

// Of AVIF's effort, 2 costs a second for the largest; 4 costs ten for files that are hardly smaller.
const photo = { avif: { quality: 50, effort: 2 }, webp: { quality: 78 } };
const flat = { avif: { quality: 65, effort: 2 }, webp: { quality: 90 } };
const fallbacks = {
  jpg: (image: Sharp) => image.jpeg({ quality: 80, mozjpeg: true }),
  png: (image: Sharp) => image.png({ palette: true, quality: 90 }),
};

/** The picture's pixels at its full size, upright, in sRGB; four channels only where something shows through. */
async function draw(bytes: Buffer, kind: ImageKind, maxPixels: number) {
  const options: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error', pages: 1 };
  const metadata = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
  if (metadata.format !== formats[kind]) throw new UnusableImage('cannot be read');
  const input =
    kind === 'svg' ? sharp(bytes, { ...options, density: densityFor(metadata) }) : sharp(bytes, options);
  // Judged by what its header says, before anything is decoded.
  if (kind !== 'svg' && metadata.width * metadata.height > maxPixels) {
    const millions = Math.floor(maxPixels / 1e6);
    throw new UnusableImage(
      `has ${metadata.width} × ${metadata.height} pixels. The limit is ${millions} million pixels: save it at a smaller size`,
    );
  }
  const image = input
    .autoOrient()
    .resize({ ...largestImage, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const drawn = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = drawn.info;
  const raw = { width, height, channels };
  if (channels === 3 || !(await sharp(drawn.data, { raw }).stats()).isOpaque) return drawn;
  return sharp(drawn.data, { raw }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

/** At which an SVG becomes as large as a picture is kept: shapes have no size of their own. */
function densityFor({ width, height, density = 72 }: Metadata): number {
  const scale = Math.min(largestImage.width / width, largestImage.width / height);
  return Math.min(Math.max(density * scale, 1), 100_000);
}

function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(said)) return 'has too many pixels. Save it at a smaller size';
  return 'cannot be read. It’s damaged or incomplete';
}
