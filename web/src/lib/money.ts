/** `"290.00"` → `"$290"`, `"290.50"` → `"$290.50"`; text that is not a number is returned unchanged. */
export function dollars(amount: string | undefined): string {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(amount?.trim() ?? '');
  if (!match) return amount ?? '';
  const whole = BigInt(match[1]!).toLocaleString('en-US');
  const cents = (match[2] ?? '').padEnd(2, '0');
  return Number(cents) > 0 ? `$${whole}.${cents}` : `$${whole}`;
}
