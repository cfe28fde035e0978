import { z } from 'zod';
import { bulkOutcome, chosenIds } from './bulk.js';
import { cursorLimit, pageLimit, searchText } from './paging.js';

const ignoredField = z.unknown().optional();
/** The fields that the server adds to every record. */
const metaFields = {
  _id: ignoredField,
  createdAt: ignoredField,
  updatedAt: ignoredField,
  version: ignoredField,
};

/**
 * The body of an update. A record can be sent back as it was read: the fields that the server added to it, and those that `alsoIgnored`
 * names, are accepted and dropped.
 */
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

/** The fields of a body, without those that it ignores. */
export function fieldsOf(body: z.ZodType): z.ZodRawShape {
  const { shape } = (body instanceof z.ZodPipe ? body.in : body) as z.ZodObject;
  return Object.fromEntries(Object.entries(shape).filter(([, field]) => field !== ignoredField));
}

/** The price that the caller saw; compared in cents with the current one. */
export const shownPrice = z
  .string({ error: 'is required' })
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be a price like 290.00');

/** Postgres has no year 0. */
const hasYear = (text: string) => !text.startsWith('0000');
const dayError = 'must be a day like 2026-11-21';
const momentError = 'must be a date and time like 2026-11-21T09:30:00Z';
/** A calendar day, YYYY-MM-DD. */
export const calendarDay = z.iso.date({ error: dayError }).refine(hasYear, dayError);
/** A moment, ISO 8601. */
export const moment = z.iso.datetime({ offset: true, error: momentError }).refine(hasYear, momentError);

/** The body of a call about records that somebody selected. */
export const selection = z.strictObject({ ids: chosenIds });
/** Which of the selected records are now as requested, and why the others are not. The call as a whole succeeds. */
export const selectionOutcome = bulkOutcome.meta({ id: 'BulkOutcome' });

const deepestPage = 1_000_000;

/** For a query parameter: one that is given twice arrives as a list, which is refused with this message. */
export const givenOnce = { error: 'must be given once' };

/** A query parameter that is written in digits, and becomes a number from 1 to `maximum`. */
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
 * Takes the schema of values that a service receives, and returns the schema of the query string in which a client writes them. A boolean that is
 * optional or has a default is written `true` or `false`, and such a number in digits. A value with a default can be left out, and stays absent:
 * the service applies the default.
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

/** Which part of a list to return. `cursor` wins over `page`. */
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

/** The query of an export: what the list can be narrowed and sorted by, without a page. */
export function exportQuery<S extends z.ZodRawShape>(filter: z.ZodObject<S>) {
  return z.object({ search: pageQuery.shape.search, ...queryStringOf(filter).shape });
}
