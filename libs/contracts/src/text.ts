import { z } from 'zod';

/** Runs of control characters and of the two other characters that end a line. */
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** No NUL, which Postgres cannot store; no lone surrogates, which UTF-8 cannot represent. */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** No line breaks, and no control characters except tabs. Such a text can neither split a mail header nor forge a line of a log. */
export function isSingleLine(value: string): boolean {
  return value.replaceAll('\t', ' ').search(controls) < 0;
}

/** Untrusted text as one storable line of at most `maximum` characters: control characters become spaces. */
export function toSingleLine(text: string, maximum = Infinity): string {
  return text.toWellFormed().replace(controls, ' ').trim().slice(0, maximum).toWellFormed();
}

/** For HTML and XML, including quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Not blank. `maximum` is in UTF-16 code units, as HTML's `maxlength` counts. */
export function requiredText(maximum: number) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') })
    .refine((value) => value.trim() !== '', 'is required')
    .max(maximum, `must have at most ${maximum.toLocaleString('en-US')} characters`)
    .refine(isStorable, 'contains characters that cannot be stored');
}

/** May be empty; `maximum` is in UTF-16 code units. */
export function optionalText(maximum: number) {
  return z
    .string()
    .max(maximum, `must have at most ${maximum.toLocaleString('en-US')} characters`)
    .refine(isStorable, 'contains characters that cannot be stored')
    .default('');
}

/** Empty if it is not given. */
export const optionalLine = (maximum: number) =>
  z
    .string({ error: 'must be text' })
    .max(maximum, `must have at most ${maximum.toLocaleString('en-US')} characters`)
    .refine(isStorable, 'contains characters that cannot be stored')
    .refine(isSingleLine, 'must be one line of text')
    .default('');

export const requiredLine = (maximum: number) =>
  requiredText(maximum).refine(isSingleLine, 'must be one line of text');
