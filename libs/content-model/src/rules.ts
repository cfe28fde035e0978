import { isStorable } from '#libs/contracts';
import type { Field } from './field.js';

/* These rules do without a schema library, because forms also use them and browsers would have to load the library. */

/** In UTF-16 code units, as HTML's `maxlength` counts. */
export const maxTextLength = 10_000;

export const ruleMessages = {
  required: 'is required',
  blank: 'contains only spaces; leave it empty instead',
  tooLong: `must have at most ${maxTextLength.toLocaleString('en-US')} characters`,
  unstorable: 'contains characters that cannot be stored',
  notAnAddress: 'must be an address: https://…, mailto:…, tel:…, /path or #part',
  notAPrice: 'must be a positive number below 10,000,000 with at most two decimals, like 499.00',
  notAnOption: (options: readonly string[]) => `must be one of ${options.join(', ')}`,
} as const;

const addressSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * `http:`, `https:`, `mailto:`, `tel:`, a site-relative path or a fragment. `//host` leaves the site, so it needs a scheme. White space and control
 * characters are refused, because browsers ignore some of them (`java\tscript:`). So are backslashes, which only some programs read as slashes.
 */
export function isAddress(value: string): boolean {
  if (value.startsWith('//') || /[\s\\\u0000-\u0020\u007f]/.test(value)) return false;
  if (value.startsWith('/') || value.startsWith('#')) return true;
  try {
    return addressSchemes.has(new URL(value).protocol);
  } catch {
    return false;
  }
}

/** Above 0 and below 10 000 000, with at most two decimals. Kept as typed: `"5"` stays `"5"`. */
export const pricePattern = /^(?=.*[1-9])(?:0|[1-9]\d{0,6})(?:\.\d{1,2})?$/;

export function isFilled(value: string): boolean {
  return value.trim() !== '';
}

/** The message for the first problem, as the server would put it; undefined if the value is valid. */
export function fieldFault(field: Field, value: string): string | undefined {
  if (!isFilled(value)) {
    if (field.required) return ruleMessages.required;
    return value === '' ? undefined : ruleMessages.blank;
  }
  if (field.kind === 'choice')
    return field.options?.includes(value) ? undefined : ruleMessages.notAnOption(field.options ?? []);
  if (value.length > maxTextLength) return ruleMessages.tooLong;
  if (!isStorable(value)) return ruleMessages.unstorable;
  if ((field.kind === 'link' || field.kind === 'image') && !isAddress(value))
    return ruleMessages.notAnAddress;
  if (field.kind === 'price' && !pricePattern.test(value)) return ruleMessages.notAPrice;
  return undefined;
}
