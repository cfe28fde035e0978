const redacted = '[redacted]';

/** A copy in which each property named in `secretKeys`, at any depth, is `[redacted]`. */
export function redact(value: unknown, secretKeys: readonly string[]): unknown {
  if (secretKeys.length === 0 || value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((element) => redact(element, secretKeys));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretKeys.includes(key) ? redacted : redact(inner, secretKeys),
    ]),
  );
}
