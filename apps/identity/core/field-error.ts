import { DomainError, type ErrorCode } from '#libs/contracts';

/** The error with this code, whose message is shown at a field of the form. */
export function fieldError(code: ErrorCode, field: string): DomainError {
  const { message } = new DomainError(code);
  return new DomainError(code, { fields: [{ field, message }] });
}
