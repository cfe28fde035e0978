/** What a file is called, of a path as any system writes it; at most 255 characters. It is shown in the library and used for nothing else. */
export function fileNameIn(path: string): string {
  const last = path.split(/[\\/]/).at(-1)!.trim();
  return last.slice(-255) || 'Image';
}
