import { countryCodes } from '#libs/contracts';

/** Codes and English names, sorted by name. */
export function listCountries(): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return countryCodes
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, 'en'));
}
