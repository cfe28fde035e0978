/** How mails present the site, from its content. */
export interface Brand {
  name: string;
  /** An absolute http(s) address. */
  logoUrl?: string;
  siteUrl: string;
  /** The postal address of the footer. */
  address?: string;
  /** The texts that replace built-in ones, by the mail's template. */
  customTexts?: ReadonlyMap<string, CustomText>;
}

export interface CustomText {
  subject?: string;
  text?: string;
}

/** The custom subject, on one line, and the custom text, trimmed, from what an admin typed. */
export function customTextOf({ subject, text }: Readonly<Record<string, unknown>>): CustomText {
  return { subject: lineOf(subject), text: typeof text === 'string' ? text.trim() : '' };
}

/** The text on one line; undefined if there is none. */
export function lineOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() || undefined : undefined;
}
