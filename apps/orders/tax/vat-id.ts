import { isInEu } from './tax-rates.js';

/**
 * The part after the prefix of two letters. Source: European Commission, VIES, frequently asked questions, "What is the format of a VAT number?"
 * (https://ec.europa.eu/taxation_customs/vies/#/faq).
 */
const forms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{12}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** As the registers write it: capital letters, without blanks, dots and hyphens. */
export const normalizedVatId = (text: string) => text.toUpperCase().replace(/[\s.-]/g, '');

/** ISO 3166-1; null if the prefix is not that of an EU country. Greece's prefix is EL. */
export function countryOfVatId(vatId: string): string | null {
  const prefix = vatId.slice(0, 2);
  const country = prefix === 'EL' ? 'GR' : prefix;
  return prefix !== 'GR' && isInEu(country) ? country : null;
}

/** For a normalized VAT ID. False for ids of countries outside the EU. */
export function isWellFormedVatId(vatId: string): boolean {
  return forms[vatId.slice(0, 2)]?.test(vatId.slice(2)) ?? false;
}
