import { z } from 'zod';
import type { Field } from './field.js';
import type { Section } from './section.js';

/** Characters, for every text field (decisions on the API's answers). */
export const maxTextLength = 10_000;

const addressSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * `http:`, `https:`, `mailto:`, `tel:`, a site-relative path or a fragment. Judged by the URL standard's own parser,
 * so that what a browser would run (`java\tscript:`) cannot pass as a path. `//host` and `/\host` leave the site and must
 * name their scheme.
 */
export function isAddress(value: string): boolean {
  const leavesSite = /^[\\/]{2}|^\/\\/.test(value);
  if (leavesSite || /[\u0000-\u0020\u007f]/.test(value)) return false;
  if (value.startsWith('/') || value.startsWith('#')) return true;
  try {
    return addressSchemes.has(new URL(value).protocol);
  } catch {
    return false;
  }
}

/** Text that can be stored and shown: no NUL (Postgres cannot hold it), no lone surrogates (JSON cannot carry them). */
function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

const storableText = z
  .string('must be text')
  .max(maxTextLength, `must have at most ${maxTextLength.toLocaleString('en-US')} characters`)
  .refine(isStorable, 'contains characters that cannot be stored');

function valueSchema(field: Field): z.ZodType<string, string> {
  switch (field.kind) {
    case 'text':
    case 'longText':
      return storableText;
    case 'link':
    case 'image':
      return storableText.refine(isAddress, 'must be an address: https://…, mailto:…, tel:…, /path or #part');
    case 'price':
      return storableText.regex(
        /^(?=.*[1-9])(0|[1-9]\d{0,6})(\.\d{1,2})?$/,
        'must be a positive number with at most two decimals, like 499.00',
      );
    case 'choice':
      return z.enum(field.options ?? [], `must be one of ${(field.options ?? []).join(', ')}`);
  }
}

function isFilled(value: string): boolean {
  return value.trim() !== '';
}

function requiredSchema(field: Field): z.ZodType<string, string> {
  return z.string('is required').refine(isFilled, { error: 'is required', abort: true }).pipe(valueSchema(field));
}

/** `""` clears an optional field, so it is valid whatever the kind. */
function optionalSchema(field: Field): z.ZodType<string | undefined> {
  return z.union([z.literal(''), valueSchema(field)]).optional();
}

const metaSchemas = {
  _id: z.unknown(),
  createdAt: z.unknown(),
  updatedAt: z.unknown(),
  version: z.unknown(),
};

/** The body of the section's create call: every required field, unknown fields refused. */
export function createSchema(section: Section): z.ZodObject {
  return z.strictObject(fieldSchemas(section));
}

/**
 * The body of the section's update call: as for create, and the four fields that the server added to what was read
 * are accepted and dropped.
 */
export function updateSchema(section: Section): z.ZodType<Record<string, string | undefined>> {
  return z
    .strictObject({ ...metaSchemas, ...fieldSchemas(section) })
    .transform(({ _id, createdAt, updatedAt, version, ...body }) => body as Record<string, string | undefined>);
}

function fieldSchemas(section: Section): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(section.fields).map(([name, field]) => [
      name,
      field.required ? requiredSchema(field) : optionalSchema(field),
    ]),
  );
}

/** A stored record as it is answered. Reads tolerate missing fields: old records outlive a changed declaration. */
export function recordSchema(section: Section): z.ZodObject {
  return z.object({
    _id: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int(),
    ...Object.fromEntries(Object.keys(section.fields).map((name) => [name, z.string().optional()])),
  });
}
