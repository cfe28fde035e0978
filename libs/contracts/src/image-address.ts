/** In pixels. An uploaded picture is served in its own width and in each smaller one of these. */
const imageWidths = [160, 320, 640, 960, 1280, 1920];

/** Stored pictures are at most this big, in pixels. */
export const largestImage = { width: 1920, height: 4096 } as const;

/**
 * The address of the full size, e.g. `/images/<id>/1600x900.jpg`. Pages reserve space by its dimensions. The folder also has `<width>.avif` and
 * `<width>.webp` for each of `servedWidths`.
 */
export function imageAddress(id: string, fileName: string): string {
  return `/images/${id}/${fileName}`;
}

/** The widths in which a picture of this width is served, smallest first. */
export function servedWidths(width: number): number[] {
  return [...imageWidths.filter((narrower) => narrower < width), width];
}

const imageFilePattern =
  /^\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/(\d{1,4}(?:x\d{1,4})?\.(?:avif|webp|jpg|png))$/;
const imageIdPattern = /\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\//i;

export function imageFileAt(path: string): { id: string; name: string } | undefined {
  const [, id, name] = imageFilePattern.exec(path) ?? [];
  return id && name ? { id, name } : undefined;
}

/** The picture's id, if this is the address of an uploaded one, with or without an origin. */
export function uploadedImageIdIn(address: string): string | undefined {
  return imageIdPattern.exec(address)?.[1]?.toLowerCase();
}
