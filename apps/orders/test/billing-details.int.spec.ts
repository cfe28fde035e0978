import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type Actor,
  billingDetailsContract,
  type CallInput,
  invoiceContract,
  orderContract,
} from '#libs/contracts';
import { actors, eventually, fullTest, sampleEvery } from '#libs/testing';
import { ViesStandIn } from '../../../dev/stand-ins/vies/vies.js';
import { ViesClient } from '../tax/vies.client.js';
import { Invoices } from './invoices.harness.js';
import { type OrdersUnderTest, startOrders } from './orders.harness.js';

const { admin, customer } = actors;

let vies: ViesStandIn;
let orders: OrdersUnderTest;
let basicId: string;
beforeAll(async () => {
  vies = await ViesStandIn.start();
  orders = await startOrders({ VIES_URL: vies.url });
  await orders.startContent();
  basicId = (await orders.offer('Basic', '290.00'))._id;
  await orders.waitForPackages({ Basic: '290.00' });
});
afterAll(async () => {
  await orders?.stop();
  await vies?.stop();
});
beforeEach(async () => {
  vies.fault = undefined;
  for (const table of ['invoice_settings', 'billing_details', 'vat_id_checks'])
    await orders.sql.query(`DELETE FROM ${table}`);
});

type Settings = CallInput<typeof invoiceContract.updateInvoiceSettings>;
const seller: Settings = {
  ...{ name: 'Rank & Rise GmbH', addressLine1: 'Torstraße 1', city: 'Berlin', countryCode: 'DE' },
  vatId: 'DE123456789',
};
const saveSettings = (settings: Partial<Settings> = {}, ifVersion?: number) =>
  orders.client.call(
    invoiceContract.updateInvoiceSettings,
    { ...seller, ...settings, ...(ifVersion !== undefined && { ifVersion }) },
    { actor: admin },
  );
const storedSettings = () => orders.client.call(invoiceContract.getInvoiceSettings, {}, { actor: admin });
const details = (actor: Actor = customer) =>
  orders.client.call(billingDetailsContract.getBillingDetails, {}, { actor });
const checkVatId = (vatId: string) =>
  orders.client.call(billingDetailsContract.checkVatId, { vatId }, { actor: customer });
const quote = (billingDetails: Record<string, string> = {}, customerCountry = 'Germany') =>
  orders.client.call(
    billingDetailsContract.quoteTax,
    { packageName: 'Basic', packagePrice: '290.00', customerCountry, billingDetails },
    { actor: customer },
  );
/** Quotes may be wrong at first, because each replica caches the settings for a second. */
const expectQuote = (expected: object, ...request: Parameters<typeof quote>) =>
  eventually(async () => expect(await quote(...request)).toMatchObject(expected));

describe('the seller’s settings', () => {
  test('begin with defaults; a later save keeps the moment from which invoices are issued', async () => {
    const before = await storedSettings();
    expect(before).toMatchObject({ version: 0, issuesFrom: null, taxMode: 'none', invoicePrefix: 'INV-' });
    const { record } = await saveSettings();
    expect(record).toMatchObject({
      ...{ version: 1, name: seller.name, standardRate: '19', issuesFrom: expect.any(String) },
    });
    const later = await saveSettings({ city: 'Potsdam' }, 1);
    expect(later.record).toMatchObject({ version: 2, city: 'Potsdam', issuesFrom: record.issuesFrom });
  });

  test('are not overwritten by a save of a stale version, even if two admins save them for the first time at the same moment', async () => {
    const both = await Promise.allSettled([saveSettings({}, 0), saveSettings({ name: 'Other GmbH' }, 0)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(saveSettings({}, 0)).rejects.toMatchObject({
      ...{ code: 'VERSION_MISMATCH', details: { current: { version: 1 } } },
    });
  });

  test.each<[string, Partial<Settings>]>([
    ['vatId', { vatId: 'DE12' }],
    ['domesticRate', { countryCode: 'CH', taxMode: 'inclusive', vatId: 'CHE123456789' }],
    ['taxNumber', { vatId: '', taxMode: 'inclusive' }],
    ['exchangeRate', { accountingCurrency: 'EUR' }],
    ['exchangeRate', { exchangeRate: '0.92' }],
    ['creditNotePrefix', { creditNotePrefix: 'inv-' }],
    ['invoicePrefix', { invoicePrefix: 'INV-2026-' }],
    ['timeZone', { timeZone: 'Europe/Atlantis' }],
    ['countryCode', { countryCode: 'ZZ' }],
    ['addressLine1', { addressLine1: ' ' }],
  ])('are refused if they are invalid or contradict one another: %s', async (field, settings) => {
    await expect(saveSettings(settings)).rejects.toMatchObject({
      ...{ code: 'INVALID_INPUT', details: { fields: [{ field, message: expect.any(String) }] } },
    });
    expect((await storedSettings()).version).toBe(0);
  });
});

describe('a VAT ID', () => {
  test('is valid or not according to the register; the next check uses the stored answer', async () => {
    vies.validVatIds.add('FR40303265045');
    expect(await checkVatId('fr 40 303 265 045')).toEqual({ vatId: 'FR40303265045', state: 'valid' });
    expect(await checkVatId('NL001234567B01')).toMatchObject({ state: 'invalid' });
    vies.askedVatIds.length = 0;
    expect(await checkVatId('FR40303265045')).toMatchObject({ state: 'valid' });
    expect(vies.askedVatIds).toEqual([]);
  });

  test('that no EU country would issue is malformed, and the register is not asked', async () => {
    vies.askedVatIds.length = 0;
    expect(await checkVatId('FR1')).toMatchObject({ state: 'malformed' });
    expect(await checkVatId('GB123456789')).toMatchObject({ state: 'malformed' });
    expect(vies.askedVatIds).toEqual([]);
  });

  test.each(sampleEvery(2, ['unavailable', 'busy', 'misleading', 'html', 'silent'] as const))(
    'is unknown while the register has the fault %s',
    async (fault) => {
      vies.validVatIds.add('ATU13585627');
      vies.fault = fault;
      expect(await checkVatId('ATU13585627')).toMatchObject({ state: 'unknown' });
      vies.fault = undefined;
      expect(await checkVatId('ATU13585627')).toMatchObject({ state: 'valid' });
    },
  );

  test('is unknown while the register does not answer; in each replica, at most four callers wait for it at a time', async () => {
    vies.fault = 'silent';
    vies.mostAtOnce = 0;
    const ids = Array.from({ length: 20 }, (_, i) => `ATU135856${10 + i}`);
    const answers = await Promise.all(ids.map(checkVatId));
    expect(answers.map(({ state }) => state)).toEqual(ids.map(() => 'unknown'));
    // Each of the two replicas makes at most four requests for callers, and its worker two more.
    expect(vies.mostAtOnce).toBeLessThanOrEqual(12);
    expect(vies.mostAtOnce).toBeGreaterThanOrEqual(4);
  });

  test('that the register could not check is checked again later', async () => {
    vies.validVatIds.add('ATU13585627');
    vies.fault = 'unavailable';
    await checkVatId('ATU13585627');
    vies.fault = undefined;
    await orders.sql.query('UPDATE vat_id_checks SET next_check_at = now()');
    await eventually(async () => {
      const { rows } = await orders.sql.query('SELECT vat_id, state FROM vat_id_checks');
      expect(rows).toEqual([{ vat_id: 'ATU13585627', state: 'valid' }]);
    });
  });

  test('that the register called invalid is checked again when it is used a day later', async () => {
    vies.validVatIds.delete('ATU13585627');
    expect(await checkVatId('ATU13585627')).toMatchObject({ state: 'invalid' });
    vies.validVatIds.add('ATU13585627');
    expect(await checkVatId('ATU13585627')).toMatchObject({ state: 'invalid' });
    await orders.sql.query(`UPDATE vat_id_checks SET checked_at = checked_at - interval '25 hours'`);
    await checkVatId('ATU13585627');
    await eventually(async () => expect(await checkVatId('ATU13585627')).toMatchObject({ state: 'valid' }));
  });

  fullTest(
    'is not checked any more after a week without an answer from the register, until an order names it',
    async () => {
      await saveSettings({ taxMode: 'exclusive' });
      await expectQuote({ mode: 'exclusive' });
      vies.validVatIds.add('ATU13585627');
      vies.fault = 'unavailable';
      await checkVatId('ATU13585627');
      const nextCheck = async () => {
        const { rows } = await orders.sql.query<{ in: string }>(
          `SELECT CASE WHEN next_check_at = 'infinity' THEN 'never' WHEN next_check_at > now() THEN 'minutes' ELSE 'now' END
           AS in FROM vat_id_checks`,
        );
        return rows[0]!.in;
      };
      await orders.sql.query(
        `UPDATE vat_id_checks SET first_asked_at = now() - interval '8 days', next_check_at = now()`,
      );
      await eventually(async () => expect(await nextCheck()).toBe('never'));
      await orders.place({ billingDetails: { countryCode: 'AT', vatId: 'ATU13585627' } });
      await eventually(async () => expect(await nextCheck()).toBe('minutes'));
      vies.fault = undefined;
      await orders.sql.query('UPDATE vat_id_checks SET next_check_at = now()');
      await eventually(async () => {
        const { rows } = await orders.sql.query('SELECT state FROM vat_id_checks');
        expect(rows).toEqual([{ state: 'valid' }]);
      });
    },
  );

  fullTest('is also checked once an invoice names it', async () => {
    await saveSettings({ taxMode: 'inclusive' });
    await expectQuote({ mode: 'inclusive' });
    vies.validVatIds.add('ATU13585627');
    const invoices = new Invoices(orders);
    const id = await invoices.placePaidOrder({ billingDetails: { countryCode: 'AT', vatId: 'ATU13585627' } });
    await invoices.first(id);
    await eventually(async () =>
      expect((await invoices.list({ order: id })).items[0]).toMatchObject({ vatIdState: 'valid' }),
    );
  });
});

describe('the billing details of a customer', () => {
  const blank = {
    company: '',
    addressLine1: '',
    addressLine2: '',
    postalCode: '',
    city: '',
    countryCode: '',
    vatId: '',
  };
  const company = { company: 'Analytical Engines SARL', city: 'Paris', countryCode: 'FR' };

  test('are remembered from the newest order that has any, for this customer only', async () => {
    // The settings of the previous test are cached for a second.
    await eventually(async () =>
      expect(await details()).toMatchObject({ company: '', vatIdState: null, offered: false }),
    );
    vies.validVatIds.add('FR40303265045');
    await checkVatId('FR40303265045');
    const order = await orders.place({ billingDetails: { ...company, vatId: 'fr 40303265045' } });
    expect(order.billingDetails).toMatchObject({ ...company, vatId: 'FR40303265045' });
    expect(await details()).toMatchObject({ ...company, vatId: 'FR40303265045', vatIdState: 'valid' });
    await orders.place({});
    expect(await details()).toMatchObject(company);
    expect(await details({ ...customer, accountId: randomUUID() })).toMatchObject({ company: '' });
  });

  test('can be changed without an order; earlier orders keep what they had', async () => {
    const order = await orders.place({ billingDetails: company });
    const changed = { ...blank, ...company, city: 'Lyon' };
    await orders.client.call(billingDetailsContract.updateBillingDetails, changed, { actor: customer });
    expect(await details()).toMatchObject(changed);
    const kept = await orders.client.call(orderContract.getOrder, { id: order._id }, { actor: customer });
    expect(kept.billingDetails).toMatchObject(company);
  });
});

describe('the tax of an order', () => {
  test('is none without settings, and for a seller who charges none', async () => {
    const none = { mode: 'none', net: '290.00', tax: '0.00', total: '290.00' };
    await expectQuote(none);
    await saveSettings();
    // Waits until every replica has read these settings.
    await eventually(async () => {
      const read = await Promise.all(Array.from({ length: 6 }, () => details()));
      expect(read.map(({ offered }) => offered)).toEqual(read.map(() => true));
    });
    await expectQuote(none);
  });

  test('is in the price, or added to it, at the rate that applies to the buyer', async () => {
    await saveSettings({ taxMode: 'inclusive' });
    await expectQuote({ mode: 'inclusive', net: '243.70', tax: '46.30', total: '290.00', rate: '19' });
    await saveSettings({ taxMode: 'exclusive', aboveThreshold: true });
    await expectQuote({ mode: 'exclusive', net: '290.00', tax: '55.10', total: '345.10', rate: '19' });
    await expectQuote({ tax: '73.95', total: '363.95', rate: '25.5' }, {}, 'Finland');
    await expectQuote({ tax: '0.00', total: '290.00' }, {}, 'United States');
    vies.validVatIds.add('FR40303265045');
    await checkVatId('FR40303265045');
    const business = { countryCode: 'FR', vatId: 'FR40303265045' };
    await expectQuote({ tax: '0.00', reason: expect.stringContaining('Reverse charge') }, business);
    const order = await orders.place({ customerCountry: 'Finland' });
    expect(order).toMatchObject({ packagePrice: '290.00', addedTax: '73.95', addedTaxRate: '25.5' });
    expect(await orders.place({ billingDetails: business })).toMatchObject({ addedTax: '0.00' });
  });

  test('is quoted for the current price only', async () => {
    const request = { packageName: 'Basic', packagePrice: '1.00', customerCountry: 'Germany' };
    await expect(
      orders.client.call(billingDetailsContract.quoteTax, request, { actor: customer }),
    ).rejects.toMatchObject({ code: 'PRICE_CHANGED', details: { current: { packagePrice: '290.00' } } });
    // First, every replica reads the old price. Later, no replica may answer with a price that it remembers.
    await Promise.all(Array.from({ length: 6 }, () => quote()));
    await orders.reprice(basicId, '310.00');
    await orders.waitForPackages({ Basic: '310.00' });
    for (let n = 0; n < 6; n += 1)
      await expect(quote()).rejects.toMatchObject({
        code: 'PRICE_CHANGED',
        details: { current: { packagePrice: '310.00' } },
      });
    await orders.reprice(basicId, '290.00');
    await orders.waitForPackages({ Basic: '290.00' });
  });

  test('does not wait for the register', async () => {
    // The register does not answer before the end of this test.
    let endSilence: (answer: null) => void = () => undefined;
    const silence = new Promise<null>((resolve) => (endSilence = resolve));
    const spies = orders.replicas.map(({ app }) =>
      jest.spyOn(app.get(ViesClient, { strict: false }), 'ask').mockReturnValue(silence),
    );
    try {
      await saveSettings({ taxMode: 'exclusive', aboveThreshold: true });
      await expectQuote({ rate: '0', tax: '0.00' }, { countryCode: 'ES', vatId: 'ESB83923078' });
      const order = await orders.place({ billingDetails: { countryCode: 'ES', vatId: 'ESB83923078' } });
      expect(order.addedTax).toBe('0.00');
    } finally {
      endSilence(null);
      for (const spy of spies) spy.mockRestore();
    }
  });
});
