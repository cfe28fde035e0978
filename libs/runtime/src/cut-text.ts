/** The first `maxLength` UTF-16 code units of the text, or one fewer if the last one would be half a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
