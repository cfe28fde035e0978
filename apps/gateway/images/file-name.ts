/** The last part of a path of any operating system, at most 255 characters; `Image` if it is empty. Files are not stored under this name. */
export function fileNameIn(path: string): string {
  const last = path.split(/[\\/]/).at(-1)!.trim();
  return last.slice(-255) || 'Image';
}
