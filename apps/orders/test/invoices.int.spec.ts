import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Actor,
  type BillingDetails,
  customerContract,
  demoDataContract,
  demoDomain,
  invoiceContract,
  orderContract,
  system,
  type TimelineEntry,
} from '#libs/contracts';
import { type FileStorage, INVOICE_STORAGE, invoiceFileName } from '#libs/file-storage';
import { actors, eventually } from '#libs/testing';
import type { EventContext } from '#libs/transport';
import { DeletedAccountService } from '../deleted-account/deleted-account.service.js';
import { OrderRepository } from '../order/order.repository.js';
import { Invoices } from './invoices.harness.js';
import { type OrdersUnderTest, otherCustomer, startOrders } from './orders.harness.js';

const { admin, customer } = actors;

let orders: OrdersUnderTest;
let invoices: Invoices;

beforeAll(async () => {
  orders = await startOrders();
  invoices = new Invoices(orders);
  await orders.startContent({ Basic: '290.00' });
});
afterAll(() => orders?.stop());

const override = (id: string, paymentStatus: 'Paid' | 'UnPaid') =>
  orders.client.call(orderContract.updateOrderPaymentStatus, { id, paymentStatus }, { actor: admin });
const timeline = (id: string): Promise<TimelineEntry[]> =>
  orders.client.call(orderContract.getOrderTimeline, { id }, { actor: customer });

const details: BillingDetails = {
  ...{ company: 'Engines SARL', addressLine1: '1 Rue de la Paix', addressLine2: '', postalCode: '75002' },
  ...{ city: 'Paris', countryCode: 'FR', vatId: '' },
};

test('an order that was paid before the settings were saved causes no document, and neither do its later refunds and disputes', async () => {
  const id = await invoices.placePaidOrder();
  expect(await invoices.listOfOrder(id)).toEqual([]);
  const { rows } = await orders.sql.query('SELECT 1 FROM invoice_tasks');
  expect(rows).toEqual([]);
  await invoices.saveSettings();
  // Without an invoice, a refund or dispute causes no credit note, and the end of a dispute causes no new invoice.
  await invoices.moveMoney(id, 'refunded', { cents: 9_000 });
  await invoices.moveMoney(id, 'reversed', { cents: 20_000 });
  await invoices.moveMoney(id, 'reversal_cancelled', { cents: 20_000 });
  expect(await invoices.listOfOrder(id)).toEqual([]);
});

describe('once the settings are saved', () => {
  beforeEach(() => invoices.saveSettings());
  afterAll(() => invoices.expectDocumentsMatchBilling());

  test('a paid order has one invoice, which names the seller, the buyer and the item', async () => {
    const { _id: id, number, orderDate } = await orders.place({ billingDetails: details });
    await invoices.moveMoney(id, 'received');
    const [invoice, ...others] = await invoices.listOfOrder(id);
    expect(others).toEqual([]);
    const [month, day, year] = orderDate.split('/');
    expect(invoice!.document).toEqual({
      number: expect.stringMatching(/^INV-\d{4}-\d{5}$/),
      ...{ kind: 'invoice', cause: 'payment', issuedOn: invoice!.issuedOn, currency: 'USD', paper: 'A4' },
      site: expect.any(String),
      logo: null,
      seller: {
        ...{ name: 'Rank & Rise GmbH', addressLine1: 'Torstraße 1', addressLine2: '', postalCode: '10119' },
        ...{ city: 'Berlin', countryCode: 'DE', email: '', taxNumber: '', vatId: 'DE123456789' },
        ...{ register: '', bankAccount: '' },
      },
      buyer: { name: 'Ada Lovelace', email: customer.email, ...details },
      order: { number, placedOn: `${year}-${month}-${day}` },
      item: { name: 'Basic', period: null },
      tax: { category: 'S', rate: '19', reason: null, reasonCode: null },
      ...{ netCents: 24_370, taxCents: 4_630, grossCents: 29_000, accounting: null, cites: null },
      payment: { method: 'PayPal', reference: 'PAYMENT', on: invoice!.issuedOn },
    });
    expect((await timeline(id)).at(-1)).toMatchObject({
      kind: 'invoice',
      text: `Invoice ${invoice!.document.number} was issued.`,
    });
  });

  test('without billing details, the buyer is named as in the order', async () => {
    const [invoice] = await invoices.listOfOrder(
      await invoices.placePaidOrder({ customerCountry: 'Denmark' }),
    );
    expect(invoice!.document.buyer).toEqual({
      ...{ name: 'Ada Lovelace', email: customer.email, company: '', addressLine1: '1 Analytical Way' },
      ...{ addressLine2: '', postalCode: '', city: '', countryCode: 'DK', vatId: '' },
    });
  });

  test('each refund, each dispute and each end of a dispute gets a document, and the credit notes add up to the invoice once everything is credited', async () => {
    const id = await invoices.placePaidOrder();
    await invoices.moveMoney(id, 'refunded', { cents: 9_000 });
    await invoices.moveMoney(id, 'refunded', { cents: 1 });
    await invoices.moveMoney(id, 'reversed', { cents: 19_999 });
    expect(await invoices.summariesOf(id)).toEqual([
      'invoice 290.00 payment',
      'credit_note 90.00 refund',
      'credit_note 0.01 refund',
      'credit_note 199.99 dispute',
    ]);
    const [invoice, ...credits] = (await invoices.listOfOrder(id)).map(({ document }) => document);
    for (const credit of credits)
      expect(credit).toMatchObject({
        cites: { number: invoice!.number, issuedOn: invoice!.issuedOn },
        ...{ tax: invoice!.tax, buyer: invoice!.buyer, seller: invoice!.seller, item: invoice!.item },
      });
    const sum = (field: 'netCents' | 'taxCents' | 'grossCents') =>
      credits.reduce((all, credit) => all + credit[field], 0);
    expect([sum('netCents'), sum('taxCents'), sum('grossCents')]).toEqual([24_370, 4_630, 29_000]);
    expect(credits[0]!.payment).toMatchObject({ method: 'PayPal', reference: 'refunded 1' });

    await invoices.moveMoney(id, 'reversal_cancelled', { cents: 19_999 });
    expect((await invoices.summariesOf(id)).at(-1)).toBe('invoice 199.99 dispute_closed');
    const { items } = await invoices.list({ order: id });
    expect(items.map(({ kind, gross, open }) => `${kind} ${gross}, ${open} open`)).toEqual([
      'invoice 199.99, 199.99 open',
      'credit_note 199.99, 0.00 open',
      'credit_note 0.01, 0.00 open',
      'credit_note 90.00, 0.00 open',
      'invoice 290.00, 0.00 open',
    ]);
  });

  test('the end of a dispute invoices the disputed sale again, each time with its item, its corrected buyer and its tax rate', async () => {
    // The rate in Germany was 16 % in the second half of 2020.
    invoices.setTime('2020-12-20T12:00:00Z');
    const id = await invoices.placePaidOrder();
    const { id: wrong, document } = await invoices.first(id);
    await invoices.correct(wrong, { company: 'Corrected Ltd' });
    invoices.setTime('2021-01-10T12:00:00Z');
    const again: unknown[] = [];
    for (const round of [1, 2]) {
      await invoices.moveMoney(id, 'reversed', { cents: 29_000 });
      await invoices.moveMoney(id, 'reversal_cancelled', { cents: 29_000 });
      const { cause, buyer, item, tax } = (await invoices.listOfOrder(id)).at(-1)!.document;
      again.push([round, cause, buyer.company, item, tax.rate]);
    }
    invoices.setTime(new Date().toISOString());
    expect(again).toEqual(
      [1, 2].map((round) => [round, 'dispute_closed', 'Corrected Ltd', document.item, '16']),
    );
  });

  test('a refund is credited against the newest invoices first, with a credit note for each', async () => {
    const id = await invoices.placePaidOrder();
    await invoices.moveMoney(id, 'reversed', { cents: 10_000 });
    await invoices.moveMoney(id, 'reversal_cancelled', { cents: 10_000 });
    await invoices.moveMoney(id, 'refunded', { cents: 15_000 });
    const documents = (await invoices.listOfOrder(id)).map(({ document }) => document);
    expect(documents.map(({ number, grossCents, cites }) => [number, grossCents, cites?.number])).toEqual([
      [documents[0]!.number, 29_000, undefined],
      [documents[1]!.number, 10_000, documents[0]!.number],
      [documents[2]!.number, 10_000, undefined],
      [documents[3]!.number, 10_000, documents[2]!.number],
      [documents[4]!.number, 5_000, documents[0]!.number],
    ]);
  });

  test('the mail about a payment that counts again waits for its own invoice', async () => {
    const id = await invoices.placePaidOrder();
    const findForMail = () =>
      orders.client.call(invoiceContract.findInvoiceForMail, { orderId: id }, { actor: system });
    const untilReady = async (index: number) => {
      const { document } = (await invoices.listOfOrder(id))[index]!;
      await eventually(async () => expect(await findForMail()).toMatchObject({ number: document.number }));
    };
    await untilReady(0);
    await invoices.moveMoney(id, 'reversed');
    await invoices.waitForTasks(id);
    const setNextTry = (time: string) =>
      `UPDATE invoice_tasks SET next_try_at = ${time} WHERE order_id = '${id}' AND done_at IS NULL`;
    await invoices.moveMoney(id, 'reversal_cancelled', {
      also: (tx) => tx.query(setNextTry(`now() + interval '1 hour'`)),
    });
    expect(await findForMail()).toBeNull();
    await orders.sql.query(setNextTry('now()'));
    await untilReady(2);
  });

  test('an admin who sets the payment status causes a document, too', async () => {
    const { _id: id } = await orders.place();
    await override(id, 'Paid');
    await override(id, 'UnPaid');
    expect(await invoices.summariesOf(id)).toEqual([
      'invoice 290.00 override',
      'credit_note 290.00 override',
    ]);
    expect((await invoices.listOfOrder(id)).map(({ document }) => document.payment)).toEqual([null, null]);
  });

  test('the total of an invoice with added tax is the price plus the tax', async () => {
    await invoices.saveSettings({ taxMode: 'exclusive' });
    const { _id: id } = await orders.place({ customerCountry: 'Germany' });
    await orders.sql.query(`UPDATE orders SET added_tax_rate = '19' WHERE id = $1`, [id]);
    await invoices.moveMoney(id, 'received', { cents: 34_510 });
    expect((await invoices.listOfOrder(id))[0]!.document).toMatchObject({
      ...{ netCents: 29_000, taxCents: 5_510, grossCents: 34_510 },
    });
  });

  test('documents also state the tax in the accounting currency, and credit notes keep the exchange rate of their invoice', async () => {
    await invoices.saveSettings({ accountingCurrency: 'EUR', exchangeRate: '0.9215' });
    const id = await invoices.placePaidOrder();
    // Waits until the invoice is issued, with the first rate.
    await invoices.first(id);
    await invoices.saveSettings({ accountingCurrency: 'EUR', exchangeRate: '0.5' });
    await invoices.moveMoney(id, 'refunded', { cents: 9_000 });
    await invoices.moveMoney(id, 'refunded', { cents: 20_000 });
    expect((await invoices.listOfOrder(id)).map(({ document }) => document.accounting)).toEqual([
      { currency: 'EUR', rate: '0.9215', taxCents: 4_267 },
      { currency: 'EUR', rate: '0.9215', taxCents: 1_324 },
      { currency: 'EUR', rate: '0.9215', taxCents: 2_943 },
    ]);
  });

  test('a business with a VAT ID in another member state gets a reverse-charge invoice, without tax', async () => {
    const id = await invoices.placePaidOrder({ billingDetails: { ...details, vatId: 'FR40303265045' } });
    const { document } = await invoices.first(id);
    expect(document).toMatchObject({ taxCents: 0, tax: { category: 'AE', rate: '0' } });
    expect((await invoices.list({ order: id })).items[0]).toMatchObject({ vatIdState: 'unknown' });
  });

  describe('an admin corrects an invoice', () => {
    test('by a credit note and a new invoice with other details of the buyer', async () => {
      const id = await invoices.placePaidOrder();
      await invoices.moveMoney(id, 'refunded', { cents: 9_000 });
      const { id: wrong, document } = await invoices.first(id);
      const { creditNote, invoice } = await invoices.correct(wrong, { ...details, vatId: 'FR40303265045' });
      expect(await invoices.summariesOf(id)).toEqual([
        'invoice 290.00 payment',
        'credit_note 90.00 refund',
        'credit_note 200.00 correction',
        'invoice 200.00 correction',
      ]);
      expect(creditNote).toMatchObject({ gross: '200.00', buyerName: 'Ada Lovelace', taxCategory: 'S' });
      expect(invoice).toMatchObject({ gross: '200.00', open: '200.00', buyerName: 'Engines SARL' });
      expect(invoice).toMatchObject({ taxCategory: 'AE', tax: '0.00', cites: { _id: wrong } });
      const corrected = (await invoices.listOfOrder(id)).at(-1)!.document;
      expect(corrected.buyer).toEqual({
        name: 'Ada King',
        email: customer.email,
        ...details,
        vatId: 'FR40303265045',
      });
      expect(corrected.payment).toEqual(document.payment);
      // The next refund is credited against the new invoice.
      await invoices.moveMoney(id, 'refunded', { cents: 20_000 });
      expect((await invoices.listOfOrder(id)).at(-1)!.document.cites!.number).toBe(corrected.number);
    });

    test('but neither a credit note nor a fully credited invoice', async () => {
      const id = await invoices.placePaidOrder();
      await invoices.moveMoney(id, 'refunded');
      for (const { id: documentId } of await invoices.listOfOrder(id))
        await expect(invoices.correct(documentId)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
      await expect(invoices.correct(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('only once, even if many admins do so at the same time', async () => {
      const { id: wrong } = await invoices.first(await invoices.placePaidOrder());
      const answers = await Promise.allSettled(Array.from({ length: 8 }, () => invoices.correct(wrong)));
      expect(
        answers.map((answer) => (answer.status === 'rejected' ? answer.reason.code : 'done')).sort(),
      ).toEqual([...Array.from({ length: 7 }, () => 'INVALID_TRANSITION'), 'done']);
    });

    test('and details that are left out stay as they are', async () => {
      const { _id: id } = await orders.place({ billingDetails: details });
      await invoices.moveMoney(id, 'received');
      await invoices.correct((await invoices.first(id)).id, { city: 'Lyon', addressLine1: '' });
      expect((await invoices.listOfOrder(id)).at(-1)!.document.buyer).toEqual({
        ...{ ...details, name: 'Ada King', email: customer.email, city: 'Lyon', addressLine1: '' },
      });
    });

    test('at the rate of the day of the first invoice, however often it is corrected', async () => {
      // The rate in Germany was 16 % in the second half of 2020.
      invoices.setTime('2020-12-20T12:00:00Z');
      const id = await invoices.placePaidOrder();
      const { id: wrong } = await invoices.first(id);
      invoices.setTime('2021-01-10T12:00:00Z');
      const once = await invoices.correct(wrong);
      const twice = await invoices.correct(once.invoice._id);
      invoices.setTime(new Date().toISOString());
      expect([once, twice].map(({ invoice }) => [invoice.taxRate, invoice.issuedOn.slice(0, 4)])).toEqual([
        ['16', '2021'],
        ['16', '2021'],
      ]);
    });
  });

  test('a customer can neither read nor find another customer’s document, and cannot correct any', async () => {
    const id = await invoices.placePaidOrder();
    const { id: documentId } = await invoices.first(id);
    const as = (actor: Actor) => ({
      get: () => orders.client.call(invoiceContract.getInvoice, { id: documentId }, { actor }),
      file: () => orders.client.call(invoiceContract.getInvoiceFileState, { id: documentId }, { actor }),
      list: (filter: object) => orders.client.call(invoiceContract.listInvoices, filter, { actor }),
      correct: () =>
        orders.client.call(invoiceContract.correctInvoice, { id: documentId, name: 'Eve' }, { actor }),
    });
    const [owner, other] = [as(customer), as(otherCustomer)];
    // The PDF is either still being rendered or already stored.
    expect(await owner.get()).toMatchObject({
      _id: documentId,
      file: expect.stringMatching(/^(rendering|ready)$/),
    });
    expect(await owner.file()).toMatchObject({ _id: documentId });
    expect((await owner.list({ order: id })).items.map(({ _id }) => _id)).toEqual([documentId]);
    for (const call of [other.get, other.file])
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const filter of [
      {},
      { order: id },
      { customer: customer.accountId },
      { own: false },
      { search: 'Ada' },
    ])
      expect(await other.list(filter)).toMatchObject({ items: [], total: 0 });
    for (const call of [owner.correct, other.correct])
      await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const malformed of ['', 'x', `${documentId}'`])
      await expect(
        orders.client.call(invoiceContract.getInvoice, { id: malformed }, { actor: customer }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('the list is filtered, searched and read by cursor', async () => {
    const actor = { ...otherCustomer, accountId: randomUUID(), email: 'reader@example.com' };
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { _id } = await orders.place({ customerName: `Reader ${index}` }, actor);
      await invoices.moveMoney(_id, 'received');
      await invoices.waitForTasks(_id);
      ids.push(_id);
    }
    await invoices.moveMoney(ids[1]!, 'refunded', { cents: 100 });
    await invoices.waitForTasks(ids[1]!);
    const list = async (filter: object) => {
      const { items, total, nextCursor } = await orders.client.call(invoiceContract.listInvoices, filter, {
        actor,
      });
      return { found: items.map(({ kind, buyerName }) => `${kind} ${buyerName}`), items, total, nextCursor };
    };
    const all = await list({});
    expect(all).toMatchObject({
      found: ['credit_note Reader 1', 'invoice Reader 2', 'invoice Reader 1', 'invoice Reader 0'],
      total: 4,
      nextCursor: null,
    });
    const first = await list({ limit: 3 });
    expect(first.found).toEqual(all.found.slice(0, 3));
    expect((await list({ limit: 3, cursor: first.nextCursor! })).found).toEqual(all.found.slice(3));
    expect((await list({ direction: 'asc' })).found).toEqual(all.found.toReversed());
    expect((await list({ kind: 'credit_note' })).found).toEqual(['credit_note Reader 1']);
    const { number, orderNumber, issuedOn } = all.items[1]!;
    for (const search of [number.toLowerCase(), `#${orderNumber}`, 'reader 2'])
      expect((await list({ search })).found).toEqual(['invoice Reader 2']);
    expect((await list({ search: 'READER@example.com' })).total).toBe(4);
    expect((await list({ from: issuedOn, to: issuedOn })).total).toBe(4);
    expect((await list({ to: '2020-01-01' })).total).toBe(0);
  });

  test('the database refuses to change or delete documents, and to reuse or skip a number', async () => {
    const { id } = await invoices.first(await invoices.placePaidOrder());
    const attempts = [
      `UPDATE invoices SET document = document || '{"netCents": 0}' WHERE id = '${id}'`,
      `UPDATE invoices SET account_id = '${randomUUID()}' WHERE id = '${id}'`,
      `DELETE FROM invoices WHERE id = '${id}'`,
      `TRUNCATE invoices CASCADE`,
      `UPDATE invoice_series SET last = last - 1 WHERE series = 'invoice'`,
      `UPDATE invoice_series SET last = last + 2 WHERE series = 'invoice'`,
      `DELETE FROM invoice_series WHERE series = 'invoice'`,
      `TRUNCATE invoice_series`,
    ];
    const before = (await orders.sql.query('SELECT * FROM invoices ORDER BY id')).rows;
    for (const attempt of attempts)
      await expect(orders.sql.query(attempt)).rejects.toMatchObject({ code: '23000' });
    expect((await orders.sql.query('SELECT * FROM invoices ORDER BY id')).rows).toEqual(before);
  });

  test('a deleted account’s documents stay, and an order that was paid before the deletion still gets its invoice', async () => {
    const actor = { ...otherCustomer, accountId: randomUUID(), email: 'leaving@example.com' };
    const { _id: id } = await orders.place({ customerName: 'Grace Hopper' }, actor);
    const { app } = orders.replicas[0]!;
    const repository = app.get(OrderRepository, { strict: false });
    // In one transaction, so that the order's customer details are already erased when a replica takes the invoice task.
    await invoices.moveMoney(id, 'received', { also: (tx) => repository.anonymize(tx, actor.accountId) });
    const deleted = { accountId: actor.accountId, email: actor.email };
    const context = { eventId: randomUUID() } as EventContext;
    await app.get(DeletedAccountService, { strict: false }).forget(deleted, context);
    const { document } = await invoices.first(id);
    expect(document.buyer).toMatchObject({ name: 'Grace Hopper', email: actor.email });
    await invoices.moveMoney(id, 'refunded');
    expect((await invoices.listOfOrder(id))[1]!.document.buyer).toEqual(document.buyer);
    const { rows } = await orders.sql.query('SELECT buyer FROM invoice_tasks WHERE order_id = $1', [id]);
    expect(rows).toEqual([{ buyer: null }, { buyer: null }]);
  });

  test('documents of demo customers have numbers of their own, and removing demo data removes only those documents', async () => {
    const [real] = await invoices.listOfOrder(await invoices.placePaidOrder());
    const actor = { ...otherCustomer, accountId: randomUUID(), email: `Amara@${demoDomain}` };
    const { _id: id } = await orders.place({}, actor);
    await invoices.moveMoney(id, 'received');
    await invoices.moveMoney(id, 'refunded', { cents: 100 });
    const documents = await invoices.listOfOrder(id);
    expect(documents.map(({ series, document }) => [series, document.number])).toEqual([
      ['demo_invoice', expect.stringMatching(/^DEMO-INV-\d{4}-00001$/)],
      ['demo_credit_note', expect.stringMatching(/^DEMO-CN-\d{4}-00001$/)],
    ]);
    const storage = orders.replicas[0]!.app.get<FileStorage>(INVOICE_STORAGE, { strict: false });
    const stored = async () => {
      const files = [real!, ...documents].map((document) => storage.findBytes(document.id, invoiceFileName));
      return (await Promise.all(files)).map((file) => file !== undefined);
    };
    await eventually(async () => expect(await stored()).toEqual([true, true, true]));
    // If a demo customer has also ordered with another address, only the demo order and the notes about it are removed.
    const kept = await orders.place({}, { ...actor, email: 'amara@example.com' });
    const demoOnlyCustomer = { ...otherCustomer, accountId: randomUUID(), email: `zoe@${demoDomain}` };
    const demoOnly = await orders.place({}, demoOnlyCustomer);
    for (const orderId of [id, kept._id, demoOnly._id])
      await orders.client.call(
        orderContract.addOrderNote,
        { id: orderId, text: 'Of an order' },
        { actor: admin },
      );
    for (const { accountId } of [actor, demoOnlyCustomer])
      await eventually(() =>
        orders.client.call(
          customerContract.addCustomerNote,
          { id: accountId, text: 'Of a customer' },
          { actor: admin },
        ),
      );
    await orders.client.call(demoDataContract.removeOrders, {}, { actor: admin });
    expect(await invoices.listOfOrder(id)).toEqual([]);
    expect(await stored()).toEqual([true, false, false]);
    const notes = await orders.sql.query(
      'SELECT account_id, order_id FROM staff_notes WHERE account_id IN ($1, $2) ORDER BY id',
      [actor.accountId, demoOnlyCustomer.accountId],
    );
    expect(notes.rows).toEqual([
      { account_id: actor.accountId, order_id: kept._id },
      { account_id: actor.accountId, order_id: null },
    ]);
    const { items } = await invoices.list();
    expect(items.map(({ number }) => number)).toContain(real!.document.number);
    expect(items.filter(({ number }) => number.startsWith('DEMO-'))).toEqual([]);
  });
});

test('the invoices of fifty orders that are paid at the same time are numbered without a gap', async () => {
  await invoices.saveSettings();
  // In a year without other documents, numbers begin at 1.
  invoices.setTime('2050-01-10T12:00:00Z');
  const ids = await Promise.all(Array.from({ length: 50 }, () => invoices.placePaidOrder()));
  const found = await Promise.all(ids.map((id) => invoices.first(id)));
  expect(found.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  await invoices.expectDocumentsMatchBilling();
});
