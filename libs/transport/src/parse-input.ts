import type { z } from 'zod';
import { DomainError, fieldErrors } from '#libs/contracts';

/** Throws INVALID_INPUT with the `fieldErrors`. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw DomainError.invalid(fieldErrors(result.error));
}
