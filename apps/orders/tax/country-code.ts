import { countryCodes } from '#libs/contracts';

const englishNames = new Intl.DisplayNames('en', { type: 'region' });

/** Names that people write, besides the English ones of Unicode's CLDR. */
const otherNames: Readonly<Record<string, string>> = {
  america: 'US',
  britain: 'GB',
  'czech republic': 'CZ',
  deutschland: 'DE',
  england: 'GB',
  'great britain': 'GB',
  holland: 'NL',
  österreich: 'AT',
  schweiz: 'CH',
  scotland: 'GB',
  'the netherlands': 'NL',
  turkey: 'TR',
  uae: 'AE',
  uk: 'GB',
  'united states of america': 'US',
  usa: 'US',
  wales: 'GB',
};

const codes = new Map([
  ...countryCodes.map((code) => [englishNames.of(code)!.toLowerCase(), code] as const),
  ...Object.entries(otherNames),
]);

/** Accepts an English name, one of `otherNames`, or an ISO 3166-1 code, in upper or lower case. Returns null for any other text. */
export function countryCodeOf(text: string): string | null {
  const written = text.trim().replace(/\s+/g, ' ').toLowerCase();
  const code = written.toUpperCase();
  return codes.get(written) ?? (countryCodes.includes(code) ? code : null);
}
