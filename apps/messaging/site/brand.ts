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
