import { countryCodes } from '#libs/contracts';

/** The countries' codes, and their English names as the browser knows them, sorted by name. */
export function countries(): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return countryCodes
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, 'en'));
}
