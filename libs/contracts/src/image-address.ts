/** In pixels. An uploaded picture is served in its own width, and in each of these widths that is smaller. */
const imageWidths = [160, 320, 640, 960, 1280, 1920];

/** The maximum size at which a picture is stored, in pixels. */
export const largestImage = { width: 1920, height: 4096 } as const;

/**
 * The address of an uploaded picture at its full size: `/images/<id>/1600x900.jpg`. It contains the dimensions, so that pages can reserve
 * space for the picture. The same folder has `<width>.avif` and `<width>.webp` for each of `widthsOf`.
 */
export function imageAddress(id: string, fileName: string): string {
  return `/images/${id}/${fileName}`;
}

/** The widths that a picture of this width is served in, smallest first. */
export function widthsOf(width: number): number[] {
  return [...imageWidths.filter((narrower) => narrower < width), width];
}

const imageFilePath =
  /^\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/(\d{1,4}(?:x\d{1,4})?\.(?:avif|webp|jpg|png))$/;
const imageIdAnywhere = /\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\//i;

/** The picture id and file name in this path; undefined for any other path. */
export function imageFileAt(path: string): { id: string; name: string } | undefined {
  const [, id, name] = imageFilePath.exec(path) ?? [];
  return id && name ? { id, name } : undefined;
}

/** The id of the uploaded picture in an address, with or without an origin; undefined for any other address. */
export function uploadedImageIn(address: string): string | undefined {
  return imageIdAnywhere.exec(address)?.[1]?.toLowerCase();
}
