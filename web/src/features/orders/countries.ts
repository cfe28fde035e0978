import { countryCodes } from '#libs/contracts';

/** The countries' English names, sorted, as the browser knows them. */
export function countryNames(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return countryCodes.map((code) => names.of(code) ?? code).sort((a, b) => a.localeCompare(b, 'en'));
}
