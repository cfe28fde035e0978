import { fileURLToPath } from 'node:url';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { type LinkPreview, linkPreviewSize } from './preview.js';

/**
 * Weight 700 with Latin, Latin Extended and Vietnamese, made from @fontsource-variable/bricolage-grotesque (SIL Open Font License,
 * web/src/styles/fonts/OFL.txt), because the drawing library does not read woff2.
 */
const fontfile = fileURLToPath(new URL('./bricolage-grotesque-bold.ttf', import.meta.url));
const family = 'Bricolage Grotesque Bold';

/** The light colours of web/src/styles/tokens.css. */
const colour = { ground: '#fbfaf6', ink: '#12161f', ruleStrong: '#d8d4c8', signal: '#c8361b' };

const margin = 72;
const textWidth = 736;
/** The y coordinate of the line between the site's name and the title. */
const rule = 150;

/** In pixels, largest first. */
const titleSizes = [128, 104, 88, 74, 62, 52, 44];
const nameSize = 40;

// Pictures are drawn rarely: neither threads nor a cache are worth their memory.
sharp.concurrency(1);
sharp.cache(false);

/** Returns a PNG. Nothing is fetched. */
export async function drawLinkPreview({ title, site }: LinkPreview): Promise<Buffer> {
  const name = await drawFittedText(site, [nameSize], rule - margin);
  const heading = await drawFittedText(title, titleSizes, linkPreviewSize.height - rule - 2 * margin);
  const texts: OverlayOptions[] = [
    ...(name ? [{ input: name.data, left: margin, top: rule - 40 - name.info.height }] : []),
    ...(heading ? [{ input: heading.data, left: margin, top: rule + 48 }] : []),
  ];
  return sharp(Buffer.from(backgroundSvg()))
    .composite(texts)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** A line below the site's name, and the motif: a ranking in which one row has risen to the top. */
function backgroundSvg(): string {
  const lengths = [300, 250, 330, 210, 280, 240];
  const pitch = 74;
  const rows = lengths.map((length, rank) => {
    const [y, fill] = [rule + 52 + rank * pitch, rank === 0 ? colour.signal : colour.ruleStrong];
    return (
      `<rect x="868" y="${y}" width="34" height="34" rx="9" fill="none" stroke="${fill}" stroke-width="3"/>` +
      `<rect x="930" y="${y + 8}" width="${length}" height="18" rx="9" fill="${fill}"/>`
    );
  });
  const { width, height } = linkPreviewSize;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="${width}" height="${height}" fill="${colour.ground}"/>` +
    `<rect x="${margin}" y="${rule}" width="${width - margin}" height="2" fill="${colour.ink}" fill-opacity=".12"/>` +
    `${rows.join('')}</svg>`
  );
}

/** The text at the largest size at which it fits, or else shrunk to fit. Undefined if it is blank or most of its characters cannot be drawn. */
async function drawFittedText(text: string, sizes: readonly number[], height: number) {
  const markup = escaped(await removeUndrawable(text));
  if (markup.trim() === '') return undefined;
  for (const size of sizes) {
    const image = await textImage(markup, size).png().toBuffer({ resolveWithObject: true });
    if (image.info.height <= height && image.info.width <= textWidth) return image;
  }
  const smallest = textImage(markup, sizes.at(-1) ?? nameSize).png();
  return sharp(await smallest.toBuffer())
    .resize({ width: textWidth, height, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
}

function textImage(markup: string, size: number): Sharp {
  // `letter_spacing` is in 1024ths of a point: characters are 1.5% of the size closer together than usual.
  const text = `<span foreground="${colour.ink}" letter_spacing="${Math.round(-size * 15)}">${markup}</span>`;
  return sharp({
    text: {
      text,
      fontfile,
      font: `${family} ${size}`,
      dpi: 72,
      width: textWidth,
      rgba: true,
      wrap: 'word-char',
    },
  });
}

/** The bundled font has these characters. All others depend on the fonts of the machine. */
const inFont =
  /[\u0020-\u017f\u1ea0-\u1ef9\u2013-\u2014\u2018-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122\u2212]/;

/** Removes unprintable characters, and those that no font on this machine has: they look the same with and without the machine's fonts. */
async function removeUndrawable(text: string): Promise<string> {
  const printable = text.replace(/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/gu, '');
  const missing = new Set<string>();
  for (const character of new Set(printable)) {
    if (inFont.test(character)) continue;
    const draw = (fallback: boolean) =>
      textImage(`<span fallback="${fallback}">${escaped(character)}</span>`, nameSize)
        .raw()
        .toBuffer();
    const [alone, withMachine] = await Promise.all([draw(false), draw(true)]).catch(() => []);
    if (!alone || !withMachine || alone.equals(withMachine)) missing.add(character);
  }
  const drawableCharacters = [...printable].filter((character) => !missing.has(character));
  // With most of its characters missing, a text would be misleading.
  return drawableCharacters.length * 2 < [...printable].length ? '' : drawableCharacters.join('');
}

/** The same as `escapeMarkup`, whose import would load the contracts and zod into the process that draws. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
