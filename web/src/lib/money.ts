/**
 * `"1290.5"` → `"$1,290.50"`. Text that is not an amount in dollars and cents is returned unchanged. Written by hand, because all pages load this
 * file, and a page's first `Intl` formatter blocks the browser for 20 ms.
 */
export function money(amount = ''): string {
  const [, sign, dollars, cents = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount.trim()) ?? [];
  if (dollars === undefined) return amount;
  const digits = [...BigInt(dollars).toString()];
  const grouped = digits.map((digit, index) =>
    index > 0 && (digits.length - index) % 3 === 0 ? `,${digit}` : digit,
  );
  return `${sign}$${grouped.join('')}.${cents.padEnd(2, '0')}`;
}
