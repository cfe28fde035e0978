import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { largestImage, servedWidths } from '#libs/contracts';
import { type ImageKind, imageKindOf } from './image-kind.js';

export interface ProcessedImage {
  /** The full size in pixels: the upload's size, reduced to fit `largestImage`. An SVG is drawn as large as that allows. */
  width: number;
  height: number;
  /** The full size comes first, in a format that every browser can show. */
  files: { name: string; body: Uint8Array }[];
}

/** The upload cannot be used. The screen puts the file's name before the message. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage';
}

export interface ImageLimits {
  /** The most pixels (width times height) of an upload. */
  maxPixels: number;
}

// The other decoders would add attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    ...['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
    ...['VipsForeignLoadHeifBuffer', 'VipsForeignLoadNsgifBuffer', 'VipsForeignLoadSvgBuffer'],
  ],
});
// One thread leaves the other cores to the gateway. Each child process handles only one picture, so nothing is worth caching.
sharp.concurrency(1);
sharp.cache(false);

/** sharp's names of the formats. */
const sharpFormats: Record<ImageKind, string> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'heif',
  gif: 'gif',
  svg: 'svg',
};

/**
 * Re-encodes the upload, so only pixels survive: no metadata such as the location, no script in an SVG, nothing hidden in or after the picture. An
 * animation becomes its first frame. Throws UnusableImage.
 */
export async function processImage(bytes: Buffer, { maxPixels }: ImageLimits): Promise<ProcessedImage> {
  const kind = imageKindOf(bytes);
  if (!kind) {
    throw new UnusableImage(
      bytes.length === 0 ? 'is empty' : 'must be a JPEG, PNG, WebP, AVIF, GIF or SVG image',
    );
  }
  const { data, info } = await decodePixels(bytes, kind, maxPixels).catch((error: unknown) => {
    throw error instanceof UnusableImage ? error : new UnusableImage(messageOf(error));
  });
  const full = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  // Pictures with transparency are mostly drawings, like SVGs. Their flat colours and sharp edges show artefacts sooner than photos.
  const quality = kind === 'svg' || info.channels === 4 ? drawingQuality : photoQuality;
  const fallback = info.channels === 4 ? 'png' : 'jpg';
  const files = [
    {
      name: `${info.width}x${info.height}.${fallback}`,
      body: await fallbackEncoders[fallback](full()).toBuffer(),
    },
  ];
  for (const width of servedWidths(info.width)) {
    const scaled = full().resize({ width });
    files.push({ name: `${width}.avif`, body: await scaled.clone().avif(quality.avif).toBuffer() });
    files.push({ name: `${width}.webp`, body: await scaled.webp(quality.webp).toBuffer() });
  }
  return { width: info.width, height: info.height, files };
}

// AVIF effort 2 takes a second for the largest picture; 4 takes ten seconds for hardly smaller files.
const photoQuality = { avif: { quality: 50, effort: 2 }, webp: { quality: 78 } };
const drawingQuality = { avif: { quality: 65, effort: 2 }, webp: { quality: 90 } };
const fallbackEncoders = {
  jpg: (image: Sharp) => image.jpeg({ quality: 80, mozjpeg: true }),
  png: (image: Sharp) => image.png({ palette: true, quality: 90 }),
};

/** The pixels at full size, upright, in sRGB. There is a fourth channel, alpha, only if some pixel is transparent. */
async function decodePixels(bytes: Buffer, kind: ImageKind, maxPixels: number) {
  const options: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error', pages: 1 };
  const metadata = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
  if (metadata.format !== sharpFormats[kind]) throw new UnusableImage('cannot be read');
  const input =
    kind === 'svg' ? sharp(bytes, { ...options, ...svgOptions(metadata, maxPixels) }) : sharp(bytes, options);
  // The size comes from the header, so no pixels have been decoded yet.
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
  const decoded = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = decoded.info;
  const raw = { width, height, channels };
  if (channels === 3 || !(await sharp(decoded.data, { raw }).stats()).isOpaque) return decoded;
  return sharp(decoded.data, { raw }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

/**
 * An SVG has no pixels before it is drawn, so it is drawn as large as `largestImage` allows, even if that is more than `maxPixels`. Rounding can add
 * a pixel to its width or height.
 */
function svgOptions({ width, height, density = 72 }: Metadata, maxPixels: number): SharpOptions {
  const scale = Math.min(largestImage.width / width, largestImage.height / height);
  return {
    density: Math.min(Math.max(density * scale, 1), 100_000),
    limitInputPixels: Math.max(maxPixels, (largestImage.width + 1) * (largestImage.height + 1)),
  };
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(message)) return 'has too many pixels. Save it at a smaller size';
  return 'cannot be read. It’s damaged or incomplete';
}
