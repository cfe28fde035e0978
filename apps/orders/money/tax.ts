/** Hundredths of a percent, so that amounts are computed with whole numbers. */
const hundredths = (rate: string) => BigInt(Math.round(Number(rate) * 100));

/** The tax on a net amount, rounded half up to the cent. */
export function taxOnNet(netCents: number, rate: string): number {
  return Number((BigInt(netCents) * hundredths(rate) + 5_000n) / 10_000n);
}

/** What something costs, in cents: its price and the tax that is added to it. */
export function totalCents({
  priceCents,
  addedTaxRate,
}: {
  priceCents: number;
  addedTaxRate: string;
}): number {
  return priceCents + taxOnNet(priceCents, addedTaxRate);
}

/** The tax that an amount contains, rounded half up to the cent. The net amount is the rest, so both always add up to the amount. */
export function splitGross(grossCents: number, rate: string): { netCents: number; taxCents: number } {
  const parts = 10_000n + hundredths(rate);
  const taxCents = Number((2n * BigInt(grossCents) * hundredths(rate) + parts) / (2n * parts));
  return { netCents: grossCents - taxCents, taxCents };
}
