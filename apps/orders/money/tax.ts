/** Hundredths of a percent: whole numbers keep amounts exact. */
const hundredths = (rate: string) => BigInt(Math.round(Number(rate) * 100));

/** Rounded half up to the cent. */
export function taxOnNet(netCents: number, rate: string): number {
  return Number((BigInt(netCents) * hundredths(rate) + 5_000n) / 10_000n);
}

/** The price with its added tax. */
export function totalCents({
  priceCents,
  addedTaxRate,
}: {
  priceCents: number;
  addedTaxRate: string;
}): number {
  return priceCents + taxOnNet(priceCents, addedTaxRate);
}

/** The contained tax is rounded half up to the cent. The net amount is the rest, so that both add up to the gross amount. */
export function splitGross(grossCents: number, rate: string): { netCents: number; taxCents: number } {
  const parts = 10_000n + hundredths(rate);
  const taxCents = Number((2n * BigInt(grossCents) * hundredths(rate) + parts) / (2n * parts));
  return { netCents: grossCents - taxCents, taxCents };
}
