/** Splits text into paragraphs at empty lines. */
export function paragraphs(text: string | undefined): string[] {
  return (text ?? '')
    .split(/\r?\n[ \t]*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
