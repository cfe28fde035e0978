const decimals: Record<string, number> = {
  ...Object.fromEntries(
    'AUD BRL CAD CNY CZK DKK EUR HKD ILS MYR MXN NZD NOK PHP PLN GBP SGD SEK CHF THB USD'
      .split(' ')
      .map((code) => [code, 2]),
  ),
  HUF: 0,
  JPY: 0,
  TWD: 0,
};

export const isCurrency = (code: string) => Object.hasOwn(decimals, code);

/**
 * Takes what buyers and merchants write (`49`, `49.0`, `1,049.00`); returns minor units (cents). Undefined if it is not an amount in that currency,
 * or if it is ten million or more.
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const places = decimals[currency] ?? 2;
  const match = /^(\d{1,7}|\d{1,3},\d{3}|\d,\d{3},\d{3})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return undefined;
  const fraction = (match[2] ?? '').padEnd(2, '0');
  if (places === 0 && Number(fraction) > 0) return undefined;
  const whole = Number(match[1]!.replaceAll(',', ''));
  return places === 0 ? whole : whole * 100 + Number(fraction);
}

/** As in notifications: `49.00`, `-0.88`, `1200` in yen. */
export function formatAmount(minor: number, currency: string): string {
  return (decimals[currency] ?? 2) === 0 ? String(minor) : (minor / 100).toFixed(2);
}

/** 2.9 % and 30 cents (in a currency without cents: 30 units), never more than the amount. */
export function feeOf(minor: number): number {
  return Math.min(minor, Math.round(minor * 0.029) + 30);
}
