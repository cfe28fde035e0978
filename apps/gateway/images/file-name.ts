/**
 * The last part of a path of any operating system, cut to its last 255 characters; `Image` if the path ends without a file name. The image
 * library shows this name, but no file is stored under it.
 */
export function fileNameIn(path: string): string {
  const last = path.split(/[\\/]/).at(-1)!.trim();
  return last.slice(-255) || 'Image';
}
