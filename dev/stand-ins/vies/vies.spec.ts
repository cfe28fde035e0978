import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ViesStandIn } from './vies.js';

let vies: ViesStandIn;
beforeAll(async () => {
  vies = await ViesStandIn.start();
});
afterAll(() => vies?.stop());

const ask = (body: string) => fetch(`${vies.url}/check-vat-number`, { method: 'POST', body });

test.each(['', 'no JSON', 'null'])('refuses the body `%s` with 400', async (body) => {
  expect((await ask(body)).status).toBe(400);
  expect(vies.askedVatIds).toEqual([]);
});

test('answers whether a VAT ID is valid', async () => {
  vies.validVatIds.add('IE6388047V');
  const answer = await ask(JSON.stringify({ countryCode: 'IE', vatNumber: '6388047V' }));
  expect([answer.status, await answer.json()]).toMatchObject([200, { vatNumber: '6388047V', valid: true }]);
  expect(vies.askedVatIds).toEqual(['IE6388047V']);
});
