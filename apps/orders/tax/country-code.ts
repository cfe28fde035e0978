import { countryCodes } from '#libs/contracts';

/** Names that people write, besides the English ones of Unicode's CLDR, in the form of `normalized`. */
const otherNames: Readonly<Record<string, string>> = {
  america: 'US',
  britain: 'GB',
  burma: 'MM',
  'czech republic': 'CZ',
  deutschland: 'DE',
  england: 'GB',
  'great britain': 'GB',
  holland: 'NL',
  'ivory coast': 'CI',
  macau: 'MO',
  osterreich: 'AT',
  schweiz: 'CH',
  scotland: 'GB',
  turkey: 'TR',
  uae: 'AE',
  'united states of america': 'US',
  usa: 'US',
  wales: 'GB',
};

/** Ignores letter case, accents, dots, spacing and the word 'the'. ‘and’ may be ‘&’, ‘Saint’ may be ‘St.’, and apostrophes may be typographic. */
function normalized(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll('’', "'")
    .replaceAll('.', '')
    .replace(/\bthe\b/g, ' ')
    .replace(/\bsaint\b/g, 'st')
    .trim()
    .replace(/\s+/g, ' ');
}

/** The short style has 'Hong Kong' instead of 'Hong Kong SAR China'. */
const englishNames = (['long', 'short'] as const).map(
  (style) => new Intl.DisplayNames('en', { type: 'region', style }),
);

const codes = new Map([
  ...englishNames.flatMap((names) =>
    countryCodes.map((code) => [normalized(names.of(code)!), code] as const),
  ),
  ...Object.entries(otherNames),
]);

/** Accepts an English name, one of `otherNames`, or an ISO 3166-1 code. Returns null for any other text. */
export function countryCodeOf(text: string): string | null {
  const written = normalized(text);
  const code = text.trim().replaceAll('.', '').toUpperCase();
  return codes.get(written) ?? (countryCodes.includes(code) ? code : null);
}
