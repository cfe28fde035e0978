import type { z } from 'zod';
import { DomainError, fieldErrors } from '#libs/contracts';
import {
  allSections,
  bodySchemaForCreate,
  type ParsedBody,
  type Section,
  bodySchemaForUpdate,
} from '#libs/content-model';
import type { EntryBody } from './entry.entity.js';

const createSchemas = new Map(allSections.map((section) => [section, bodySchemaForCreate(section)]));
const updateSchemas = new Map(allSections.map((section) => [section, bodySchemaForUpdate(section)]));

/** Throws INVALID_INPUT with each bad field. */
export function parseCreate(section: Section, body: unknown): ParsedBody {
  return parse(createSchemas.get(section)!, body);
}

/** Throws INVALID_INPUT with each bad field. */
export function parseUpdate(section: Section, body: unknown): ParsedBody {
  return parse(updateSchemas.get(section)!, body);
}

function parse(schema: z.ZodType<ParsedBody>, body: unknown): ParsedBody {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw DomainError.invalid(fieldErrors(parsed.error));
  return parsed.data;
}

/** A field that is left out keeps its value, and `""` clears it. */
export function withChanges(before: EntryBody, changes: ParsedBody): EntryBody {
  const after: Record<string, string> = { ...before };
  for (const [field, value] of Object.entries(changes)) {
    if (value === '') delete after[field];
    else if (value !== undefined) after[field] = value;
  }
  return after;
}
