const redacted = '[redacted]';

/** A copy in which each property named in `secret`, at any depth, is `[redacted]`. */
export function redact(value: unknown, secret: readonly string[]): unknown {
  if (secret.length === 0 || value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, secret));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secret.includes(key) ? redacted : redact(inner, secret),
    ]),
  );
}
