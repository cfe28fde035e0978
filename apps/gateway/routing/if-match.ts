import { DomainError } from '#libs/contracts';

/**
 * The version in `If-Match: "<version>"`. Undefined means any version: without the header, and for `*`. Throws INVALID_INPUT for a malformed header.
 */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, version] = /^\s*"(\d{1,9})"\s*$/.exec(header) ?? [];
  if (version !== undefined) return Number(version);
  throw DomainError.invalid([
    { field: 'If-Match', message: 'must be the version of the record in quotes, like "3"' },
  ]);
}
