import { z } from 'zod';
import { bulkOutcome, chosenIds } from './bulk.js';
import { cursorLimit, pageLimit, searchText } from './paging.js';

const ignoredField = z.unknown().optional();
const metaFields = {
  _id: ignoredField,
  createdAt: ignoredField,
  updatedAt: ignoredField,
  version: ignoredField,
};

/** Accepts a record as it was read: drops the fields in `metaFields` and `alsoIgnored` that are not in `fields`. */
export function updateBody<S extends z.ZodRawShape>(
  id: string,
  fields: S,
  alsoIgnored: readonly string[] = [],
) {
  const ignoredFields = {
    ...metaFields,
    ...Object.fromEntries(alsoIgnored.map((name) => [name, ignoredField])),
  };
  const names = Object.keys(fields);
  return z
    .strictObject({ ...(ignoredFields as typeof metaFields), ...fields })
    .transform((body) => {
      const entries = Object.entries(body).filter(([name]) => names.includes(name));
      return Object.fromEntries(entries) as z.output<z.ZodObject<S>>;
    })
    .meta({ id });
}

/** The fields of a body, without those that `updateBody` ignores. */
export function fieldsOf(body: z.ZodType): z.ZodRawShape {
  const { shape } = (body instanceof z.ZodPipe ? body.in : body) as z.ZodObject;
  return Object.fromEntries(Object.entries(shape).filter(([, field]) => field !== ignoredField));
}

/** The price that the caller saw, to be compared in cents with the current one. */
export const shownPrice = z
  .string({ error: 'is required' })
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be a price like 290.00');

/** Postgres has no year 0. */
const hasStorableYear = (text: string) => !text.startsWith('0000');
const dayError = 'must be a day like 2026-11-21';
const momentError = 'must be a date and time like 2026-11-21T09:30:00Z';
export const calendarDay = z.iso.date({ error: dayError }).refine(hasStorableYear, dayError);
/** ISO 8601. */
export const moment = z.iso
  .datetime({ offset: true, error: momentError })
  .refine(hasStorableYear, momentError);

export const selection = z.strictObject({ ids: chosenIds });
/** The call succeeds even if some of the records fail. */
export const selectionOutcome = bulkOutcome.meta({ id: 'BulkOutcome' });

const deepestPage = 1_000_000;

/** A parameter that is given twice arrives as a list. */
export const givenOnce = { error: 'must be given once' };

export function wholeNumberParam(maximum: number) {
  const message = `must be a whole number from 1 to ${maximum.toLocaleString('en-US')}`;
  return z
    .string(givenOnce)
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(maximum, message));
}

const booleanParam = z.enum(['true', 'false']).transform((text) => text === 'true');

const numberParam = z
  .string(givenOnce)
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

/**
 * The schema of a query string with these values. It reads booleans (`true` or `false`) and numbers (digits) only if they are optional or have a
 * default. It does not apply defaults: the service does.
 */
export function queryStringOf<S extends z.ZodRawShape>(values: z.ZodObject<S>): z.ZodObject<S> {
  const fields = Object.entries(values.shape as z.ZodRawShape).map(([name, field]) => [name, paramOf(field)]);
  return z.object(Object.fromEntries(fields) as S);
}

function paramOf(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodDefault) return paramOf(z.optional(field.unwrap()));
  const value = field instanceof z.ZodOptional ? field.unwrap() : undefined;
  const { description = '' } = field as z.ZodType;
  if (value instanceof z.ZodBoolean) return booleanParam.optional().describe(description);
  if (value instanceof z.ZodNumber) return numberParam.pipe(value).optional().describe(description);
  return field;
}

/** `cursor` wins over `page`. */
export const pageQuery = z.object({
  page: wholeNumberParam(deepestPage).optional().describe('Counted from 1.'),
  limit: wholeNumberParam(pageLimit)
    .optional()
    .describe(`How many records per page; ${pageLimit} by default.`),
  cursor: z
    .string(givenOnce)
    .max(cursorLimit, 'is not a cursor of this list')
    .optional()
    .describe(
      'The cursor in the `Link` header of the previous page. Unlike `page`, it is equally fast at any depth.',
    ),
  search: searchText.optional().describe('Text that the records contain, in any letter case.'),
});

export function exportQuery<S extends z.ZodRawShape>(filter: z.ZodObject<S>) {
  return z.object({ search: pageQuery.shape.search, ...queryStringOf(filter).shape });
}
