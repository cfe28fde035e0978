import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoDomain, invoiceContract } from '#libs/contracts';
import { actors } from '#libs/testing';
import { Invoices, seller, type Settings } from './invoices.harness.js';
import { type OrdersUnderTest, otherCustomer, startOrders } from './orders.harness.js';

const { admin } = actors;

let orders: OrdersUnderTest;
let invoices: Invoices;

beforeAll(async () => {
  orders = await startOrders();
  invoices = new Invoices(orders);
  await orders.startContent({ Basic: '290.00' });
  await invoices.saveSettings();
});
afterAll(() => orders?.stop());

const newInvoice = async () => invoices.first(await invoices.placePaidOrder());
const newNumber = async () => (await newInvoice()).document.number;

/* No test uses an earlier year than the test before it, because a document is never dated before the previous document. */

describe('the years of a series', () => {
  test.each([
    ['Europe/Berlin', '2031-12-31T22:59:00Z', '2031-12-31', '2031-12-31T23:01:00Z', '2032-01-01'],
    ['Pacific/Kiritimati', '2033-12-31T09:59:00Z', '2033-12-31', '2033-12-31T10:01:00Z', '2034-01-01'],
    ['Pacific/Pago_Pago', '2036-01-01T10:59:00Z', '2035-12-31', '2036-01-01T11:01:00Z', '2036-01-01'],
  ])('begin at midnight in %s', async (timeZone, before, lastDay, after, firstDay) => {
    await invoices.saveSettings({ timeZone });
    invoices.setTime(before);
    const [first, second] = [await newInvoice(), await newInvoice()];
    invoices.setTime(after);
    const next = await newInvoice();
    const year = lastDay.slice(0, 4);
    expect([first, second, next].map(({ document, issuedOn }) => [document.number, issuedOn])).toEqual([
      [`INV-${year}-00001`, lastDay],
      [`INV-${year}-00002`, lastDay],
      [`INV-${firstDay.slice(0, 4)}-00001`, firstDay],
    ]);
  });

  test('a credit note that is issued in the year after its invoice is numbered in its own year', async () => {
    await invoices.saveSettings({ timeZone: 'Europe/Berlin' });
    invoices.setTime('2041-12-31T12:00:00Z');
    const id = await invoices.placePaidOrder();
    await invoices.waitForTasks(id);
    invoices.setTime('2042-01-02T12:00:00Z');
    await invoices.moveMoney(id, 'refunded');
    const [invoice, credit] = (await invoices.listOfOrder(id)).map(({ document }) => document);
    expect([invoice!.number, credit!.number, credit!.cites]).toEqual([
      'INV-2041-00001',
      'CN-2042-00001',
      { number: 'INV-2041-00001', issuedOn: '2041-12-31' },
    ]);
  });

  test('when the clock is set back, a document is not dated before the previous document', async () => {
    await invoices.saveSettings({ timeZone: 'Europe/Berlin' });
    invoices.setTime('2045-05-05T12:00:00Z');
    await newInvoice();
    invoices.setTime('2045-05-03T12:00:00Z');
    expect(await newInvoice()).toMatchObject({
      sequence: 2,
      issuedOn: '2045-05-05',
      document: { issuedOn: '2045-05-05' },
    });
  });
});

describe('prefixes', () => {
  beforeEach(() => invoices.setTime('2060-01-10T12:00:00Z'));
  const expectRefused = (settings: Partial<Settings>, field: keyof Settings, message: string) =>
    expect(invoices.saveSettings(settings)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field, message: expect.stringContaining(message) }] },
    });

  test('a new prefix continues the numbers of the year, and issued documents stay as they are', async () => {
    await invoices.saveSettings();
    const first = await newInvoice();
    await invoices.saveSettings({ invoicePrefix: 'RR/' });
    expect([first.document.number, await newNumber()]).toEqual(['INV-2060-00001', 'RR/2060-00002']);
    await invoices.saveSettings();
    expect(await newNumber()).toBe('INV-2060-00003');
    const { rows } = await orders.sql.query('SELECT number, document FROM invoices WHERE id = $1', [
      first.id,
    ]);
    expect(rows).toEqual([{ number: 'INV-2060-00001', document: first.document }]);
    await invoices.expectDocumentsMatchBilling();
  });

  test('the two series need different prefixes, and neither may use an earlier prefix of the other', async () => {
    await expectRefused({ invoicePrefix: 'X-', creditNotePrefix: 'x-' }, 'creditNotePrefix', 'must differ');
    await invoices.saveSettings({ invoicePrefix: 'OLD-' });
    await newInvoice();
    await invoices.saveSettings();
    await expectRefused({ creditNotePrefix: 'old-' }, 'creditNotePrefix', 'was used for invoices');
    await invoices.saveSettings({ invoicePrefix: 'OLD-', creditNotePrefix: 'BACK-' });
    const refunded = await invoices.placePaidOrder();
    await invoices.moveMoney(refunded, 'refunded');
    expect((await invoices.listOfOrder(refunded))[1]!.document.number).toMatch(/^BACK-/);
    await invoices.saveSettings();
    await expectRefused({ invoicePrefix: 'back-' }, 'invoicePrefix', 'was used for credit notes');
  });

  test('a prefix that only documents of demo customers have had cannot be given to the other series', async () => {
    await invoices.saveSettings({ invoicePrefix: 'TRY-' });
    const { _id: id } = await orders.place({}, { ...otherCustomer, email: `ada@${demoDomain}` });
    await invoices.moveMoney(id, 'received');
    expect((await invoices.first(id)).document.number).toBe('DEMO-TRY-2060-00001');
    await invoices.saveSettings();
    await expectRefused({ creditNotePrefix: 'try-' }, 'creditNotePrefix', 'was used for invoices');
  });

  test.each(['A1-', '1', '-', '', 'INVOICE-NUMBER-', 'R C', 'Ä-'])('%j is refused', (invoicePrefix) =>
    expectRefused({ invoicePrefix }, 'invoicePrefix', 'must begin with a letter'),
  );

  test('a prefix that looks like that of demo customers’ documents is refused', () =>
    expectRefused({ invoicePrefix: 'demo-INV-' }, 'invoicePrefix', 'DEMO-'));
});

describe('the settings', () => {
  const expectRefused = (settings: Partial<Settings>, field: keyof Settings) =>
    expect(invoices.saveSettings(settings)).rejects.toMatchObject({ details: { fields: [{ field }] } });

  test.each<[keyof Settings, Partial<Settings>]>([
    ['timeZone', { timeZone: 'Europe/Atlantis' }],
    ['accountingCurrency', { accountingCurrency: 'USD', exchangeRate: '1' }],
    ['accountingCurrency', { accountingCurrency: 'EUX', exchangeRate: '1' }],
    ['exchangeRate', { accountingCurrency: 'EUR' }],
    ['exchangeRate', { accountingCurrency: 'EUR', exchangeRate: '0.000' }],
    ['exchangeRate', { exchangeRate: '0.9' }],
    ['domesticRate', { countryCode: 'CH', vatId: '', taxNumber: 'CHE-1' }],
    ['countryCode', { countryCode: 'XX' }],
  ])('are refused because of %s: %j', (field, settings) => expectRefused(settings, field));

  test('are saved only once if two admins change the same version, and saving the same settings again changes nothing', async () => {
    const { record } = await invoices.saveSettings({ name: 'Once' });
    expect(await invoices.saveSettings({ name: 'Once' })).toEqual({ record, modified: false });
    const body = { ...seller, name: 'Twice', ifVersion: record.version };
    const save = () => orders.client.call(invoiceContract.updateInvoiceSettings, body, { actor: admin });
    const answers = await Promise.allSettled([save(), save()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(save()).rejects.toMatchObject({
      code: 'VERSION_MISMATCH',
      details: { current: { name: 'Twice', version: record.version + 1 } },
    });
  });
});
