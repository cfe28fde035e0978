/** The file name in a path of any operating system, at most 255 characters; `Image` if it has none. It is only shown in the library. */
export function fileNameIn(path: string): string {
  const last = path.split(/[\\/]/).at(-1)!.trim();
  return last.slice(-255) || 'Image';
}
