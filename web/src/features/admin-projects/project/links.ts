/** Separated by line breaks or spaces. */
export const linksIn = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** The first part of the text that is not an http or https address. */
export const findWrongLink = (text: string): string | undefined =>
  linksIn(text).find((link) => {
    try {
      return !/^https?:$/.test(new URL(link).protocol);
    } catch {
      return true;
    }
  });
