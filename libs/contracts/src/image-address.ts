/** In which widths an uploaded picture can be had, in pixels; never wider than it is. */
export const imageWidths = [160, 320, 640, 960, 1280, 1920];

/** The widest and the highest that a picture is kept, in pixels. */
export const largestImage = { width: 1920, height: 4096 } as const;

/**
 * Where an uploaded picture is, at its full size: `/images/<id>/1600x900.jpg`. It names its dimensions, so that whoever shows it can leave room for it
 * without asking; beside it lie `<width>.avif` and `<width>.webp` in the widths of `widthsOf`.
 */
export function imageAddress(id: string, fullSize: string): string {
  return `/images/${id}/${fullSize}`;
}

/** The widths in which a picture that is `width` pixels wide lies beside it, smallest first. */
export function widthsOf(width: number): number[] {
  return [...imageWidths.filter((narrower) => narrower < width), width];
}

const file =
  /^\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/(\d{1,4}(?:x\d{1,4})?\.(?:avif|webp|jpg|png))$/;
const somewhere = /\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\//i;

/** Which file of which uploaded picture this is the path of; undefined for any other path. */
export function imageFileAt(path: string): { id: string; name: string } | undefined {
  const [, id, name] = file.exec(path) ?? [];
  return id && name ? { id, name } : undefined;
}

/** The id of the uploaded picture that an address leads to, whatever stands around it; undefined for any other address. */
export function uploadedImageIn(address: string): string | undefined {
  return somewhere.exec(address)?.[1]?.toLowerCase();
}
