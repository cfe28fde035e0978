import { z } from 'zod';
import { bulkOutcome, chosenIds, cursorLimit, pageLimit, searchText } from '#libs/contracts';

const ignored = z.unknown().optional();
/** The fields that the server adds to every record. */
const added = { _id: ignored, createdAt: ignored, updatedAt: ignored, version: ignored };

/**
 * The body of an update. A record can be sent back as it was read: the fields that the server added to it, and those that `alsoIgnored`
 * names, are accepted and dropped.
 */
export function updateBody<S extends z.ZodRawShape>(
  id: string,
  fields: S,
  alsoIgnored: readonly string[] = [],
) {
  const dropped = { ...added, ...Object.fromEntries(alsoIgnored.map((name) => [name, ignored])) };
  const names = Object.keys(fields);
  return z
    .strictObject({ ...(dropped as typeof added), ...fields })
    .transform((body) => {
      const entries = Object.entries(body).filter(([name]) => names.includes(name));
      return Object.fromEntries(entries) as z.output<z.ZodObject<S>>;
    })
    .meta({ id });
}

/** The body of a call about records that somebody selected. */
export const selection = z.strictObject({ ids: chosenIds });
/** Which of the selected records changed, and why the others did not. The call as a whole succeeds. */
export const selectionOutcome = bulkOutcome.meta({ id: 'BulkOutcome' });

const deepestPage = 1_000_000;

/** For a query parameter: one that is given twice arrives as a list. */
export const once = { error: 'must be given once' };

export function wholeNumber(maximum: number) {
  const message = `must be a whole number from 1 to ${maximum.toLocaleString('en-US')}`;
  return z
    .string(once)
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(maximum, message));
}

/** A query parameter that is `true` or `false`. */
export function yesOrNo() {
  return z.enum(['true', 'false']).transform((text) => text === 'true');
}

/** Which part of a list to answer. `cursor` wins over `page`. */
export const pageQuery = z.object({
  page: wholeNumber(deepestPage).optional().describe('Counted from 1.'),
  limit: wholeNumber(pageLimit).optional().describe(`Records of a page; ${pageLimit} unless said otherwise.`),
  cursor: z
    .string(once)
    .max(cursorLimit, 'is not a cursor of this list')
    .optional()
    .describe('From `Link` of the page before; equally fast at any depth.'),
  search: searchText.optional().describe('Text that the records contain, in any letter case.'),
});

/** The parameters of `pageQuery` that an export does not take: it has all pages. */
export const pagePart = { page: true, limit: true, cursor: true } as const;
