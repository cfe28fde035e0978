import type { CustomizableMail } from '#libs/contracts';
import type { Brand, CustomText } from '../site/brand.js';
import { type Block, type EmailContent, text } from './email-content.js';
import type { MailTemplate } from './mail-template.js';

/** With placeholders like `{name}`. */
interface Wording {
  subject: string;
  text: string;
}

type PlaceholderValues = Readonly<Record<string, string>>;

/** An e-mail whose subject and text admins can replace. Everything else is fixed. Its template's name is a `CustomizableMail`. */
export interface CustomizableEmail {
  wording: Wording;
  /** Tells admins what each placeholder means. `placeholdersOf` adds `siteName`. */
  placeholders: Readonly<Record<string, string>>;
  /** Tells admins who gets it, and when. */
  occasion: string;
  sampleParams: Readonly<Record<string, unknown>>;
  write(params: unknown, brand: Brand): CustomizableContent;
}

export interface CustomizableContent extends Omit<EmailContent, 'subject' | 'blocks'> {
  values: PlaceholderValues;
  /** Below the text that admins can replace. */
  blocksAfter: readonly Block[];
}

const siteNamePlaceholder = { siteName: 'The name of your site' };

export const placeholdersOf = ({ placeholders }: CustomizableEmail): Readonly<Record<string, string>> => ({
  ...placeholders,
  ...siteNamePlaceholder,
});

export function customizableWriter(
  template: CustomizableMail,
  email: CustomizableEmail,
): MailTemplate['write'] {
  return (params, brand) => writeEmail(email, params, brand, brand.customTexts?.get(template));
}

/** An empty or missing part of `custom` stands for the built-in wording. */
export function writeEmail(
  { wording, write }: CustomizableEmail,
  params: unknown,
  brand: Brand,
  custom: CustomText = {},
): EmailContent {
  const { values, blocksAfter, ...content } = write(params, brand);
  const filled = (pattern: string) => fillIn(pattern, { ...values, siteName: brand.name });
  return {
    ...content,
    subject: filled(custom.subject || wording.subject),
    blocks: [text(filled(custom.text || wording.text)), ...blocksAfter],
  };
}

/** Unknown placeholders stay as they were typed. */
function fillIn(pattern: string, values: PlaceholderValues): string {
  return pattern
    .replace(/\{(\w+)\}/g, (typed, name: string) => (Object.hasOwn(values, name) ? values[name]! : typed))
    .trim();
}
