import { z } from 'zod';
import { isStorable } from '#libs/contracts';
import type { Field } from './field.js';
import { isAddress, isFilled, maxTextLength, pricePattern, ruleMessages } from './rules.js';
import type { Section } from './section.js';

const priceOrEmptyPattern = new RegExp(`^$|${pricePattern.source}`);

function isMissing(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && !isFilled(value));
}

const isEmptyOr = (check: (value: string) => boolean) => (value: string) => value === '' || check(value);

function notTextMessage({ input }: { input?: unknown }): string {
  return input === undefined ? ruleMessages.required : 'must be text';
}

/** Without pipes, transforms and unions, which would make the JSON Schema less precise. */
function textSchema({ required }: Field): z.ZodString {
  const text = z.string({ error: notTextMessage });
  return (required ? text.min(1, ruleMessages.required).refine(isFilled, ruleMessages.required) : text)
    .refine(isEmptyOr(isFilled), ruleMessages.blank)
    .max(maxTextLength, ruleMessages.tooLong)
    .refine(isStorable, ruleMessages.unstorable);
}

function choiceSchema({ required, options = [] }: Field): z.ZodType<string, string> {
  return z.enum(required ? options : ['', ...options], {
    error: ({ input }) =>
      required && isMissing(input) ? ruleMessages.required : ruleMessages.notAnOption(options),
  });
}

/** An optional field of any kind accepts `""`, which clears it. */
function valueSchema(field: Field): z.ZodType<string, string> {
  switch (field.kind) {
    case 'text':
    case 'longText':
      return textSchema(field);
    case 'link':
    case 'image':
      return textSchema(field).refine(
        field.required ? isAddress : isEmptyOr(isAddress),
        ruleMessages.notAnAddress,
      );
    case 'price':
      return textSchema(field).regex(
        field.required ? pricePattern : priceOrEmptyPattern,
        ruleMessages.notAPrice,
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

export type ParsedBody = Record<string, string | undefined>;

/** Call it once per section, because building a schema costs more than using it. */
export function bodySchemaForCreate(section: Section): z.ZodType<ParsedBody> {
  return z.strictObject(fieldSchemas(section));
}

const ignored = z.unknown().optional();

/** Accepts and drops the fields that the server adds to a record. */
export function bodySchemaForUpdate(section: Section): z.ZodType<ParsedBody> {
  return z
    .strictObject({
      ...fieldSchemas(section),
      _id: ignored,
      createdAt: ignored,
      updatedAt: ignored,
      version: ignored,
    })
    .transform(({ _id, createdAt, updatedAt, version, ...body }) => body as ParsedBody);
}

/** Fields may be missing: when a field is added to a section, its old records stay as they are. */
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
