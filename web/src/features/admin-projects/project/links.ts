/** The addresses in a text, one on each line. */
export const linksIn = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter(Boolean);

/** The first line that is no address of a page; undefined if all are. */
export const wrongLink = (text: string): string | undefined =>
  linksIn(text).find((link) => {
    try {
      return !/^https?:$/.test(new URL(link).protocol);
    } catch {
      return true;
    }
  });
