import type { z } from 'zod';
import { DomainError, fieldErrors } from '#libs/contracts';

/** Returns the parsed value. Throws INVALID_INPUT with the entries of `fieldErrors`. */
export function parseOrInvalid<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw DomainError.invalid(fieldErrors(result.error));
}
