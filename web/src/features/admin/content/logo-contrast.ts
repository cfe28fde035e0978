/** Red, green, blue and opacity of each pixel, from 0 to 255, as a canvas has them. */
type Pixels = Uint8ClampedArray;

/** Red, green and blue of `--ground` and `--deep` in the light theme (tokens.css). */
const backgrounds = { light: [251, 250, 246], dark: [18, 22, 31] } as const;
export type Background = keyof typeof backgrounds;

/** Below this contrast, a pixel can hardly be seen. WCAG requires 3 for graphics, but exempts logos. */
const visibleContrast = 1.8;
/** Pixels below this opacity are ignored. */
const minOpacity = 128;

/** Whether enough of the logo's opaque pixels stand out from the background. */
export function isVisibleOn(background: Background, pixels: Pixels): boolean {
  let opaque = 0;
  let visible = 0;
  const backgroundLuminance = luminance(backgrounds[background]);
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3]! < minOpacity) continue;
    opaque += 1;
    const [darker, lighter] = [backgroundLuminance, luminance(pixels.subarray(at, at + 3))].toSorted(
      (a, b) => a - b,
    );
    if ((lighter! + 0.05) / (darker! + 0.05) >= visibleContrast) visible += 1;
  }
  // A logo that is opaque almost everywhere has a background of its own, which may match the page. A small part that stands out is then enough.
  const hasOwnBackground = opaque > (pixels.length / 4) * 0.95;
  return visible > 0 && visible >= opaque * (hasOwnBackground ? 0.02 : 0.5);
}

/** WCAG 2: from 0 for black to 1 for white. */
function luminance(rgb: ArrayLike<number>): number {
  const [red, green, blue] = Array.from(rgb, (value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
