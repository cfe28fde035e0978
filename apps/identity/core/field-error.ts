import { DomainError, type ErrorCode } from '#libs/contracts';

export function fieldError(code: ErrorCode, field: string): DomainError {
  const { message } = new DomainError(code);
  return new DomainError(code, { fields: [{ field, message }] });
}
