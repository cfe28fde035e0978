interface StandardRate {
  /** YYYY-MM-DD. */
  from: string;
  /** In percent. */
  rate: string;
}

/**
 * The standard rates of VAT in the European Union, newest first and without gaps since 2024. The services of an SEO agency have no reduced rate.
 * Source: European Commission, Taxes in Europe Database (https://ec.europa.eu/taxation_customs/tedb/), read in November 2026. A new rate is added
 * above the old one before it applies.
 */
export const standardRates: Readonly<Record<string, readonly StandardRate[]>> = {
  AT: [{ from: '1995-01-01', rate: '20' }],
  BE: [{ from: '1996-01-01', rate: '21' }],
  BG: [{ from: '1999-01-01', rate: '20' }],
  CY: [{ from: '2014-01-13', rate: '19' }],
  CZ: [{ from: '2013-01-01', rate: '21' }],
  DE: [
    { from: '2021-01-01', rate: '19' },
    { from: '2020-07-01', rate: '16' },
    { from: '2007-01-01', rate: '19' },
  ],
  DK: [{ from: '1992-01-01', rate: '25' }],
  EE: [
    { from: '2025-07-01', rate: '24' },
    { from: '2024-01-01', rate: '22' },
  ],
  ES: [{ from: '2012-09-01', rate: '21' }],
  FI: [
    { from: '2024-09-01', rate: '25.5' },
    { from: '2013-01-01', rate: '24' },
  ],
  FR: [{ from: '2014-01-01', rate: '20' }],
  GR: [{ from: '2016-06-01', rate: '24' }],
  HR: [{ from: '2012-03-01', rate: '25' }],
  HU: [{ from: '2012-01-01', rate: '27' }],
  IE: [{ from: '2021-03-01', rate: '23' }],
  IT: [{ from: '2013-10-01', rate: '22' }],
  LT: [{ from: '2009-09-01', rate: '21' }],
  LU: [{ from: '2024-01-01', rate: '17' }],
  LV: [{ from: '2012-07-01', rate: '21' }],
  MT: [{ from: '2004-01-01', rate: '18' }],
  NL: [{ from: '2012-10-01', rate: '21' }],
  PL: [{ from: '2011-01-01', rate: '23' }],
  PT: [{ from: '2011-01-01', rate: '23' }],
  RO: [
    { from: '2025-08-01', rate: '21' },
    { from: '2017-01-01', rate: '19' },
  ],
  SE: [{ from: '1990-07-01', rate: '25' }],
  SI: [{ from: '2013-07-01', rate: '22' }],
  SK: [
    { from: '2025-01-01', rate: '23' },
    { from: '2011-01-01', rate: '20' },
  ],
};

export const isInEu = (countryCode: string) => Object.hasOwn(standardRates, countryCode);

/** In percent; null outside the EU. `day` is YYYY-MM-DD. Before all listed rates, the oldest one applies. */
export function standardRateOf(countryCode: string, day: string): string | null {
  const rates = isInEu(countryCode) ? standardRates[countryCode]! : [];
  return (rates.find(({ from }) => from <= day) ?? rates.at(-1))?.rate ?? null;
}
