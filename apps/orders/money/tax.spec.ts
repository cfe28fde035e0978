import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { splitGross, taxOnNet, totalCents } from './tax.js';

describe('tax', () => {
  test.each([
    // gross, rate, net, tax; computed by hand
    [29_000, '19', 24_370, 4_630],
    [29_000, '25.5', 23_108, 5_892],
    [29_000, '20', 24_167, 4_833],
    [29_000, '27', 22_835, 6_165],
    [29_000, '0', 29_000, 0],
    [100, '19', 84, 16],
    [1, '19', 1, 0],
    [3, '20', 2, 1],
    [119, '19', 100, 19],
    [0, '19', 0, 0],
    [99_999_999_999, '25.5', 79_681_274_900, 20_318_725_099],
  ])('%i cents including a tax of %s percent are %i net and %i tax', (gross, rate, netCents, taxCents) => {
    expect(splitGross(gross, rate)).toEqual({ netCents, taxCents });
  });

  test.each([
    [29_000, '19', 5_510],
    [29_000, '25.5', 7_395],
    [24_370, '19', 4_630],
    [1, '50', 1],
    [10, '4.9', 0],
    [10, '5', 1],
    [99_999_999_999, '27', 27_000_000_000],
  ])('on %i cents, a tax of %s percent is %i', (net, rate, tax) => {
    expect(taxOnNet(net, rate)).toBe(tax);
  });

  test('net and tax are never negative and add up, and the tax is within a cent of the tax on the net amount (EN 16931, BR-CO-17)', () => {
    const rates = fc.constantFrom('0', '7', '8.1', '17', '19', '20', '21', '23', '25', '25.5', '27', '99.99');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), rates, (gross, rate) => {
        const { netCents, taxCents } = splitGross(gross, rate);
        expect(netCents + taxCents).toBe(gross);
        expect(Math.min(netCents, taxCents)).toBeGreaterThanOrEqual(0);
        expect(Math.abs(taxOnNet(netCents, rate) - taxCents)).toBeLessThanOrEqual(1);
      }),
      { endOnFailure: true },
    );
  });

  test('when tax is added to a price, the net amount of the sum is that price', () => {
    const rates = fc.constantFrom('0', '7', '8.1', '17', '19', '20', '21', '23', '25', '25.5', '27', '99.99');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), rates, (priceCents, addedTaxRate) => {
        const charged = totalCents({ priceCents, addedTaxRate });
        expect(splitGross(charged, addedTaxRate).netCents).toBe(priceCents);
      }),
      { endOnFailure: true },
    );
  });
});
