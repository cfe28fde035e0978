import { z } from 'zod';
import { isStorable } from '#libs/contracts';
import type { Field } from './field.js';
import type { Section } from './section.js';

/** UTF-16 code units, as HTML's `maxlength` counts, for every text field (decisions on the API's answers). */
export const maxTextLength = 10_000;

const addressSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * `http:`, `https:`, `mailto:`, `tel:`, a site-relative path or a fragment. Judged by the URL standard's own parser,
 * so that what a browser would run (`java\tscript:`) cannot pass as a path. `//host` leaves the site and must name its scheme;
 * white space is a typing error (a URL has `%20`), and a backslash reads as a slash in one place and not in the next.
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

/** A numeric string above 0 and below 10 000 000, with at most two decimals. Kept as typed: `"5"` stays `"5"`. */
const pricePattern = /^(?=.*[1-9])(?:0|[1-9]\d{0,6})(?:\.\d{1,2})?$/;
const pricePatternOrNothing = new RegExp(`^$|${pricePattern.source}`);

function isFilled(value: string): boolean {
  return value.trim() !== '';
}

function isMissing(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && !isFilled(value));
}

const isEmptyOr = (check: (value: string) => boolean) => (value: string) => value === '' || check(value);

/** An absent value is told apart from one of another type. */
function notText({ input }: { input?: unknown }): string {
  return input === undefined ? 'is required' : 'must be text';
}

/** No pipes, transforms or unions: the JSON Schema of a field says as much as can be said of it. */
function textSchema({ required }: Field): z.ZodString {
  const text = z.string({ error: notText });
  return (required ? text.min(1, 'is required').refine(isFilled, 'is required') : text)
    .refine(isEmptyOr(isFilled), 'has only blanks; leave it empty instead')
    .max(maxTextLength, `must have at most ${maxTextLength.toLocaleString('en-US')} characters`)
    .refine(isStorable, 'contains characters that cannot be stored');
}

function choiceSchema({ required, options = [] }: Field): z.ZodType<string, string> {
  return z.enum(required ? options : ['', ...options], {
    error: ({ input }) =>
      required && isMissing(input) ? 'is required' : `must be one of ${options.join(', ')}`,
  });
}

/** `""` clears an optional field, so it is valid whatever the kind. */
function valueSchema(field: Field): z.ZodType<string, string> {
  switch (field.kind) {
    case 'text':
    case 'longText':
      return textSchema(field);
    case 'link':
    case 'image':
      return textSchema(field).refine(
        field.required ? isAddress : isEmptyOr(isAddress),
        'must be an address: https://…, mailto:…, tel:…, /path or #part',
      );
    case 'price':
      return textSchema(field).regex(
        field.required ? pricePattern : pricePatternOrNothing,
        'must be a positive number with at most two decimals, like 499.00',
      );
    case 'choice':
      return choiceSchema(field);
  }
}

function fieldSchema(field: Field): z.ZodType<string | undefined> {
  const value = valueSchema(field).describe(field.label);
  return field.required ? value : value.optional();
}

function fieldSchemas(section: Section): Record<string, z.ZodType<string | undefined>> {
  return Object.fromEntries(
    Object.entries(section.fields).map(([name, field]) => [name, fieldSchema(field)]),
  );
}

/** What a create or update call carries after parsing. */
export type ParsedBody = Record<string, string | undefined>;

/**
 * The body of the section's create call: every required field, unknown fields refused.
 * Building a schema costs more than using it: build it once per section and keep it.
 */
export function createSchema(section: Section): z.ZodType<ParsedBody> {
  return z.strictObject(fieldSchemas(section));
}

const meta = z.unknown().optional();

/**
 * The body of the section's update call: as for create, and the four fields that the server added to what was read
 * are accepted and dropped.
 */
export function updateSchema(section: Section): z.ZodType<ParsedBody> {
  return z
    .strictObject({ ...fieldSchemas(section), _id: meta, createdAt: meta, updatedAt: meta, version: meta })
    .transform(({ _id, createdAt, updatedAt, version, ...body }) => body as ParsedBody);
}

/** A stored record as it is answered. Reads tolerate missing fields: old records outlive a changed declaration. */
export function recordSchema(section: Section): z.ZodObject {
  return z.object({
    _id: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int(),
    ...Object.fromEntries(
      Object.entries(section.fields).map(([name, { label }]) => [
        name,
        z.string().optional().describe(label),
      ]),
    ),
  });
}
