import { describe, expect, test } from '@jest/globals';
import { countryCodeOf } from './country-code.js';
import { standardRateOf, standardRates } from './tax-rates.js';
import { type SellerTaxSettings, taxTreatment, type TaxedBuyer } from './tax-rule.js';
import { countryOfVatId, isWellFormedVatId, normalizedVatId } from './vat-id.js';

const german: SellerTaxSettings = {
  ...{ countryCode: 'DE', vatId: 'DE123456789', taxNumber: '', taxMode: 'inclusive', exemptionReason: '' },
  ...{ domesticRate: '', aboveThreshold: false },
};
const consumer = (countryCode: string): TaxedBuyer => ({ countryCode, vatId: '', vatIdState: null });
const business = (countryCode: string, vatId: string, vatIdState: TaxedBuyer['vatIdState'] = 'valid') => ({
  ...{ countryCode, vatId, vatIdState },
});
const today = '2026-11-22';

describe('how a sale is taxed', () => {
  const above = { aboveThreshold: true };
  /** The last value is the category (see `taxCategory`) and the rate in percent. */
  const cases: [string, Partial<SellerTaxSettings>, TaxedBuyer, string][] = [
    ['at home', {}, consumer('DE'), 'S 19'],
    ['at home, with a VAT ID', {}, business('DE', 'DE136695976'), 'S 19'],
    ['at home, at the rate that the seller has entered', { domesticRate: '7.00' }, consumer('DE'), 'S 7'],
    ['at home, at a rate of zero', { domesticRate: '0' }, consumer('DE'), 'Z 0'],
    ['a consumer in another member state', {}, consumer('FR'), 'S 19'],
    ['a consumer in another member state, above the threshold', above, consumer('FR'), 'S 20'],
    ['a consumer in Finland, above the threshold', above, consumer('FI'), 'S 25.5'],
    ['a business in another member state', above, business('FR', 'FR40303265045'), 'AE 0'],
    ['a business whose VAT ID is not confirmed yet', {}, business('FR', 'FR40303265045', 'unknown'), 'AE 0'],
    ['a VAT ID that is known to be wrong', above, business('FR', 'FR40303265045', 'invalid'), 'S 20'],
    ['a malformed VAT ID', {}, business('FR', 'FR1', 'malformed'), 'S 19'],
    ['abroad with a VAT ID of the seller’s country', {}, business('FR', 'DE136695976'), 'S 19'],
    ['a Greek business', {}, business('GR', 'EL094259216'), 'AE 0'],
    ['a customer in the United States', {}, consumer('US'), 'O 0'],
    ['a customer in the United Kingdom', {}, business('GB', 'GB123456789'), 'O 0'],
    ['a seller outside the EU, at home', { countryCode: 'CH', domesticRate: '8.1' }, consumer('CH'), 'S 8.1'],
    ['a seller outside the EU, abroad', { countryCode: 'CH', domesticRate: '8.1' }, consumer('DE'), 'O 0'],
    ['a seller outside the EU without a rate', { countryCode: 'US' }, consumer('US'), 'Z 0'],
    ['a seller who charges no tax', { taxMode: 'none' }, consumer('DE'), 'E 0'],
    [
      'a seller who charges no tax, to a business abroad',
      { taxMode: 'none' },
      business('FR', 'FR40303265045'),
      'E 0',
    ],
    [
      'a seller who charges no tax and has neither a VAT ID nor a tax number',
      { taxMode: 'none', vatId: '' },
      consumer('DE'),
      'O 0',
    ],
  ];
  test.each(cases)('%s', (_name, settings, buyer, expected) => {
    const { category, rate, reason } = taxTreatment({ ...german, ...settings }, buyer, today);
    expect(`${category} ${rate}`).toBe(expected);
    // EN 16931 requires a reason for AE, E and O (BR-AE-10, BR-E-10, BR-O-10), and forbids it for S and Z (BR-S-10, BR-Z-10).
    expect(reason !== null).toBe(!['S', 'Z'].includes(category));
  });

  test('the reason of a seller who charges no tax is the one that the seller has entered', () => {
    const exemptionReason = 'Kein Ausweis von Umsatzsteuer nach § 19 UStG.';
    const settings = { ...german, taxMode: 'none', exemptionReason } as const;
    expect(taxTreatment(settings, consumer('DE'), today).reason).toBe(exemptionReason);
  });
});

describe('rates', () => {
  test.each([
    ['EE', '2024-06-30', '22'],
    ['EE', '2025-06-30', '22'],
    ['EE', '2025-07-01', '24'],
    ['RO', '2025-07-31', '19'],
    ['RO', '2025-08-01', '21'],
    ['SK', '2024-12-31', '20'],
    ['SK', '2025-01-01', '23'],
    ['FI', '2024-08-31', '24'],
    ['FI', '2024-09-01', '25.5'],
    ['DE', '2020-12-31', '16'],
    // Before all listed rates, the oldest one applies.
    ['DE', '1990-01-01', '19'],
    ['US', '2026-01-01', null],
    // Not a country, but every object inherits a property with this name.
    ['constructor', '2026-01-01', null],
  ])('%s on %s: %s', (country, day, rate) => {
    expect(standardRateOf(country, day)).toBe(rate);
  });

  test('are listed for the 27 member states, newest first', () => {
    const memberStates = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
    expect(Object.keys(standardRates).sort().join(' ')).toBe(memberStates);
    for (const rates of Object.values(standardRates)) {
      const days = rates.map(({ from }) => from);
      expect(days).toEqual([...days].sort().reverse());
    }
  });
});

describe('VAT IDs', () => {
  test.each([
    ['de 123.456-789', 'DE123456789', true],
    ['ATU13585627', 'ATU13585627', true],
    ['EL094259216', 'EL094259216', true],
    ['GR094259216', 'GR094259216', false],
    ['FR40303265045', 'FR40303265045', true],
    ['NL001234567B01', 'NL001234567B01', true],
    ['DE12345678', 'DE12345678', false],
    ['GB123456789', 'GB123456789', false],
    ['123456789', '123456789', false],
    ['', '', false],
  ])('%p is normalized to %p; well-formed: %p', (written, normalized, isWellFormed) => {
    expect(normalizedVatId(written)).toBe(normalized);
    expect(isWellFormedVatId(normalized)).toBe(isWellFormed);
  });

  test('name the country', () => {
    expect(['DE1', 'EL1', 'GR1', 'GB1', ''].map(countryOfVatId)).toEqual(['DE', 'GR', null, null, null]);
  });
});

test.each([
  ['Germany', 'DE'],
  [' united  KINGDOM ', 'GB'],
  ['UK', 'GB'],
  ['fr', 'FR'],
  ['Türkiye', 'TR'],
  ['Czech Republic', 'CZ'],
  ['USA', 'US'],
  ['U.S.A.', 'US'],
  ['The Netherlands', 'NL'],
  ['Österreich', 'AT'],
  ['Hong Kong', 'HK'],
  ['Hong Kong SAR China', 'HK'],
  ['Macau', 'MO'],
  ['Ivory Coast', 'CI'],
  ["Cote d'Ivoire", 'CI'],
  ['Bosnia and Herzegovina', 'BA'],
  ['Trinidad and Tobago', 'TT'],
  ['Saint Kitts and Nevis', 'KN'],
  ['Saint', null],
  ['Atlantis', null],
  ['', null],
])('the country %p is %p', (written, code) => {
  expect(countryCodeOf(written)).toBe(code);
});
