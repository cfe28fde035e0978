export interface Brand {
  name: string;
  /** An absolute http(s) address. */
  logoUrl?: string;
  siteUrl: string;
  postalAddress?: string;
  /** What replaces built-in texts, by the mail's template. An empty or missing part replaces nothing. */
  customTexts?: ReadonlyMap<string, CustomText>;
}

export interface CustomText {
  subject?: string;
  text?: string;
}

export function customTextOf({ subject, text }: Readonly<Record<string, unknown>>): CustomText {
  return { subject: lineOf(subject), text: typeof text === 'string' ? text.trim() : '' };
}

export function lineOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() || undefined : undefined;
}
