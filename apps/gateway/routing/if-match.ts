import { DomainError } from '#libs/contracts';

/**
 * The version that the caller has seen, from `If-Match: "<version>"`; undefined when any version will do. A header that cannot be read is
 * refused rather than ignored: INVALID_INPUT.
 */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, version] = /^\s*"(\d{1,9})"\s*$/.exec(header) ?? [];
  if (version !== undefined) return Number(version);
  throw DomainError.invalid([
    { field: 'If-Match', message: 'must be the version of the record in quotes, like "3"' },
  ]);
}
