import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { type Actor, type CallInput, type Order, orderContract, type TimelineEntry } from '#libs/contracts';
import { actors } from '#libs/testing';
import type { ProviderOutcome, ProviderState } from '../order/order-payment.js';
import type { OrderChange } from '../order/order-transition.js';
import { SubscriptionChangeService } from '../subscription/subscription-change.service.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import type { TimelineInput } from '../timeline/order-timeline.repository.js';
import { type OrdersUnderTest, otherCustomer, startOrders } from './orders.harness.js';

const { admin, customer, visitor } = actors;

let orders: OrdersUnderTest;

beforeAll(async () => {
  orders = await startOrders();
  await orders.startContent({ Basic: '290.00' });
});
afterAll(() => orders?.stop());

type ExtraInput = Partial<CallInput<typeof orderContract.cancel>>;

const getOrder = (id: string, actor: Actor = customer) =>
  orders.client.call(orderContract.getOrder, { id }, { actor });
const timeline = (id: string, actor: Actor = admin) =>
  orders.client.call(orderContract.getOrderTimeline, { id }, { actor });
const cancel = (id: string, actor: Actor = customer, more: ExtraInput = {}) =>
  orders.client.call(orderContract.cancel, { id, ...more }, { actor });
const setPayment = (
  id: string,
  paymentStatus: 'UnPaid' | 'Paid',
  actor: Actor = admin,
  more: ExtraInput = {},
) => orders.client.call(orderContract.updateOrderPaymentStatus, { id, paymentStatus, ...more }, { actor });
const setOrder = (
  id: string,
  orderStatus: 'Pending' | 'Delivered',
  actor: Actor = admin,
  more: ExtraInput = {},
) => orders.client.call(orderContract.updateOrderStatus, { id, orderStatus, ...more }, { actor });
const clearFlags = (id: string, actor: Actor = admin, more: ExtraInput = {}) =>
  orders.client.call(orderContract.clearOrderFlags, { id, ...more }, { actor });

const fromProvider = (state: ProviderState, more: Partial<ProviderOutcome> = {}): OrderChange => ({
  providerOutcome: { state, payments: [], refundedCents: 0, disputedCents: 0, paidTwice: false, ...more },
});

const kindsOf = (entries: TimelineEntry[]) => entries.map(({ kind }) => kind);
const paymentOf = ({ paymentStatus, paymentState, payable, flags, version }: Order) => ({
  paymentStatus,
  paymentState,
  payable,
  flags,
  version,
});

async function eventsOf(id: string) {
  const { rows } = await orders.sql.query<{ event: string; payload: object }>(
    `SELECT event, payload FROM outbox_messages WHERE payload->>'orderId' = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

describe('an admin', () => {
  test('sets the payment status; the timeline shows the old and the new one, and later money does not change it', async () => {
    const { _id: id } = await orders.place();
    const paid = await setPayment(id, 'Paid');
    expect(paid.modified).toBe(true);
    expect(paymentOf(paid.record)).toEqual({
      paymentStatus: 'Paid',
      paymentState: 'paid',
      payable: false,
      flags: [],
      version: 2,
    });
    expect(await setPayment(id, 'Paid')).toEqual({ record: paid.record, modified: false });
    expect((await setPayment(id, 'UnPaid')).record).toMatchObject({ paymentStatus: 'UnPaid', payable: true });
    const entries = await timeline(id);
    expect(kindsOf(entries)).toEqual(['placed', 'payment_status_set', 'payment_status_set']);
    expect(entries[1]).toMatchObject({ by: admin.email, evidence: { before: 'UnPaid', after: 'Paid' } });
    expect(entries[2]).toMatchObject({ by: admin.email, evidence: { before: 'Paid', after: 'UnPaid' } });
    // Money that contradicts the admin's override is flagged, but does not change the status.
    expect(await orders.applyChange(id, fromProvider('paid'))).toBe(true);
    expect(paymentOf(await getOrder(id, admin))).toMatchObject({
      paymentStatus: 'UnPaid',
      payable: false,
      flags: ['override_disagrees'],
    });
    const published = await eventsOf(id);
    expect(published.map(({ event }) => event).sort()).toEqual([
      'orders.paid',
      'orders.placed',
      'payments.flagged',
    ]);
  });

  test('can give a reason for an override; admins see it in the timeline and the audit log, customers do not', async () => {
    const { _id: id } = await orders.place();
    const reason = 'Paid by bank transfer on 3 May.';
    await orders.client.call(
      orderContract.updateOrderPaymentStatus,
      { id, paymentStatus: 'Paid', reason },
      { actor: admin },
    );
    await orders.client.call(
      orderContract.updateOrdersPaymentStatus,
      { ids: [id], paymentStatus: 'UnPaid', reason: 'It bounced.' },
      { actor: admin },
    );
    expect((await timeline(id)).slice(1).map(({ evidence }) => evidence)).toEqual([
      { before: 'UnPaid', after: 'Paid', reason },
      { before: 'Paid', after: 'UnPaid', reason: 'It bounced.' },
    ]);
    expect(JSON.stringify(await timeline(id, customer))).not.toMatch(/bank transfer|bounced/);
    const { rows } = await orders.sql.query<{ after: object }>(
      'SELECT after FROM audit_entries WHERE record_id = $1 ORDER BY id',
      [id],
    );
    expect(rows).toMatchObject([
      { after: { paymentStatus: 'Paid', reason } },
      { after: { paymentStatus: 'UnPaid', reason: 'It bounced.' } },
    ]);
  });

  test.each(['', ' ', 'x'.repeat(1001)])('cannot give %j as a reason', async (reason) => {
    const { _id: id } = await orders.place();
    const call = orders.client.call(
      orderContract.updateOrderPaymentStatus,
      { id, paymentStatus: 'Paid', reason },
      { actor: admin },
    );
    await expect(call).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field: 'reason' }] },
    });
  });

  test('who sets the current status changes nothing', async () => {
    const { _id: id } = await orders.place();
    expect(await setPayment(id, 'UnPaid')).toMatchObject({ modified: false, record: { version: 1 } });
    expect(await setOrder(id, 'Pending')).toMatchObject({ modified: false, record: { version: 1 } });
    expect(await clearFlags(id)).toMatchObject({ modified: false, record: { version: 1 } });
    expect(kindsOf(await timeline(id))).toEqual(['placed']);
    // No override was stored: money that arrives later changes the status.
    await orders.applyChange(id, fromProvider('paid'));
    expect(await getOrder(id)).toMatchObject({ paymentStatus: 'Paid', paymentState: 'paid' });
  });

  test('delivers an order, and can undo the delivery', async () => {
    const { _id: id } = await orders.place();
    expect((await setOrder(id, 'Delivered')).record.orderStatus).toBe('Delivered');
    expect((await setOrder(id, 'Pending')).record.orderStatus).toBe('Pending');
    expect(kindsOf(await timeline(id))).toEqual(['placed', 'order_status_set', 'order_status_set']);
    const published = await eventsOf(id);
    expect(published.filter(({ event }) => event === 'orders.delivered')).toHaveLength(1);
  });

  test('clears reviewed flags; the timeline keeps them', async () => {
    const { _id: id } = await orders.place();
    await orders.applyChange(id, { raise: ['notice_held'] });
    expect((await getOrder(id, customer)).flags).toEqual([]);
    expect((await clearFlags(id)).record).toMatchObject({ flags: [], version: 3 });
    const last = (await timeline(id)).at(-1)!;
    expect(last).toMatchObject({
      kind: 'flag_cleared',
      by: admin.email,
      evidence: { flags: ['notice_held'] },
    });
    const { rows: logged } = await orders.sql.query(
      'SELECT actor_email, change FROM audit_entries WHERE record_id = $1',
      [id],
    );
    expect(logged).toEqual([{ actor_email: admin.email, change: 'updated' }]);
    const published = await eventsOf(id);
    expect(published.find(({ event }) => event === 'payments.flagged')).toMatchObject({
      payload: { flags: ['notice_held'] },
    });
  });

  test('changes only the version that was read', async () => {
    const { _id: id } = await orders.place();
    await setOrder(id, 'Delivered');
    const stale = { ifVersion: 1 };
    for (const change of [
      () => setPayment(id, 'Paid', admin, stale),
      () => setOrder(id, 'Pending', admin, stale),
      () => cancel(id, admin, stale),
      () => clearFlags(id, admin, stale),
    ]) {
      await expect(change()).rejects.toMatchObject({
        code: 'VERSION_MISMATCH',
        details: { current: { _id: id, version: 2 } },
      });
    }
    expect((await setPayment(id, 'Paid', admin, { ifVersion: 2 })).record.version).toBe(3);
  });
});

describe('bulk changes of orders', () => {
  test('are made where possible; the other ids are returned with the reason', async () => {
    const [unpaid, paid, cancelled] = [await orders.place(), await orders.place(), await orders.place()];
    await setPayment(paid._id, 'Paid');
    await cancel(cancelled._id);
    const unknown = randomUUID();
    const ids = [unpaid, paid, cancelled].map(({ _id }) => _id);
    const call = { ids: [...ids, unpaid._id, unknown], paymentStatus: 'Paid' as const };
    const requestId = randomUUID();
    const setPaid = () =>
      orders.client.call(orderContract.updateOrdersPaymentStatus, call, { actor: admin, requestId });
    const outcome = await setPaid();
    expect(outcome).toEqual({
      done: [unpaid._id, paid._id],
      failed: expect.arrayContaining([
        {
          _id: cancelled._id,
          code: 'INVALID_TRANSITION',
          message: 'Cancelled orders are skipped: review the payment first.',
        },
        { _id: unknown, code: 'NOT_FOUND', message: 'This record doesn’t exist. It may have been deleted.' },
      ]),
    });
    expect(outcome.failed).toHaveLength(2);
    expect(await setPaid()).toEqual(outcome);
    const statuses = await Promise.all(ids.map(async (id) => (await getOrder(id)).paymentStatus));
    expect(statuses).toEqual(['Paid', 'Paid', 'Cancelled']);
    expect(kindsOf(await timeline(unpaid._id))).toEqual(['placed', 'payment_status_set']);
    // Orders that had the status already get no second entry.
    expect(kindsOf(await timeline(paid._id))).toEqual(['placed', 'payment_status_set']);
    expect((await eventsOf(unpaid._id)).map(({ event }) => event)).toEqual(['orders.placed', 'orders.paid']);
    expect((await eventsOf(paid._id)).map(({ event }) => event)).toEqual(['orders.placed', 'orders.paid']);
  });

  test('deliver all orders except cancelled ones, which can still be set to pending', async () => {
    const [open, cancelled] = [await orders.place(), await orders.place()];
    await cancel(cancelled._id);
    const ids = [open._id, cancelled._id];
    const set = (orderStatus: 'Pending' | 'Delivered', actor: Actor = admin) =>
      orders.client.call(orderContract.updateOrdersStatus, { ids, orderStatus }, { actor });
    expect(await set('Delivered')).toMatchObject({
      done: [open._id],
      failed: [{ _id: cancelled._id, code: 'INVALID_TRANSITION' }],
    });
    expect(await set('Pending')).toEqual({ done: ids, failed: [] });
    // An admin who changes a single order has seen that it is cancelled.
    expect((await setOrder(cancelled._id, 'Delivered')).record).toMatchObject({
      ...{ paymentStatus: 'Cancelled', orderStatus: 'Delivered' },
    });
    await expect(set('Delivered', customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('need one to a hundred valid ids', async () => {
    for (const ids of [[], ['x'], Array.from({ length: 101 }, () => randomUUID())])
      await expect(
        orders.client.call(
          orderContract.updateOrdersStatus,
          { ids, orderStatus: 'Delivered' },
          { actor: admin },
        ),
      ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { fields: [{ field: 'ids' }] } });
  });

  test('succeed when they run at the same time with the ids in opposite order', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push((await orders.place())._id);
    const set = (some: string[], orderStatus: 'Pending' | 'Delivered') =>
      orders.client.call(orderContract.updateOrdersStatus, { ids: some, orderStatus }, { actor: admin });
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        set(n % 2 ? ids : ids.toReversed(), n % 2 ? 'Delivered' : 'Pending'),
      ),
    );
    for (const { failed } of outcomes) expect(failed).toEqual([]);
  });
});

describe('a customer', () => {
  test('cancels once; another cancellation changes nothing, and later money is accepted and flagged', async () => {
    const { _id: id } = await orders.place();
    const { record, modified } = await cancel(id);
    expect([paymentOf(record), modified]).toEqual([
      { paymentStatus: 'Cancelled', paymentState: 'cancelled', payable: false, flags: [], version: 2 },
      true,
    ]);
    expect(await cancel(id)).toEqual({ record, modified: false });
    expect(await orders.applyChange(id, fromProvider('paid'))).toBe(true);
    expect(await orders.applyChange(id, fromProvider('paid'))).toBe(false);
    expect(await getOrder(id, admin)).toMatchObject({ paymentStatus: 'Paid', flags: ['paid_after_cancel'] });
    await expect(cancel(id)).rejects.toMatchObject({ code: 'ALREADY_PAID' });
    const published = await eventsOf(id);
    expect(published.map(({ event }) => event).sort()).toEqual([
      'orders.cancelled',
      'orders.paid',
      'orders.placed',
      'payments.flagged',
    ]);
    expect(published.find(({ event }) => event === 'orders.cancelled')).toMatchObject({
      payload: { paymentState: 'cancelled' },
    });
  });

  test('sees the activity, but neither who acted nor the evidence', async () => {
    const { _id: id } = await orders.place();
    await setPayment(id, 'Paid');
    const entries = await timeline(id, customer);
    expect(kindsOf(entries)).toEqual(['placed', 'payment_status_set']);
    for (const { by, evidence } of entries) expect([by, evidence]).toEqual([null, {}]);
    expect(JSON.stringify(entries)).not.toContain(admin.email);
  });

  test('cannot set a status, and cannot see or cancel other customers’ orders', async () => {
    const { _id: id } = await orders.place();
    for (const call of [
      () => setPayment(id, 'Paid', customer),
      () => setOrder(id, 'Delivered', customer),
      () => clearFlags(id, customer),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    // Another account with the same e-mail address gets no access.
    const sameEmail = { ...otherCustomer, email: customer.email };
    for (const actor of [otherCustomer, sameEmail]) {
      for (const call of [() => getOrder(id, actor), () => timeline(id, actor), () => cancel(id, actor)]) {
        await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
    }
    await expect(getOrder(id, visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(cancel(id, visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await getOrder(id, admin)).toMatchObject({ version: 1, paymentStatus: 'UnPaid' });
    expect((await cancel(id, admin)).modified).toBe(true);
    expect((await timeline(id)).at(-1)!.text).toBe('The payment was cancelled by an admin.');
  });

  test.each(['', 'x', '../x', randomUUID(), `${randomUUID()}'`])(
    'gets NOT_FOUND for the order %j, and so does an admin',
    async (id) => {
      await expect(getOrder(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(timeline(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(cancel(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(setPayment(id, 'Paid')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    },
  );
});

describe('the seller of an order', () => {
  test('is the site as it was named when the order was paid', async () => {
    const sellerOf = async (id: string) => (await getOrder(id)).seller;
    await orders.nameSite('Northrank Ltd');
    const [early, late, unpaid] = await Promise.all([orders.place(), orders.place(), orders.place()]);
    await orders.applyChange(early._id, fromProvider('paid'), {
      entries: [{ kind: 'payment', text: 'PayPal received it.', by: 'PayPal' }],
    });
    expect(await sellerOf(early._id)).toBe('Northrank Ltd');
    await orders.nameSite('Summit');
    await setPayment(late._id, 'Paid');
    expect(await sellerOf(early._id)).toBe('Northrank Ltd');
    expect(await sellerOf(late._id)).toBe('Summit');
    expect(await sellerOf(unpaid._id)).toBeNull();
    expect((await timeline(early._id)).at(-1)!.evidence).toEqual({ seller: 'Northrank Ltd' });
    expect((await timeline(late._id)).at(-1)!.evidence).toMatchObject({ after: 'Paid', seller: 'Summit' });
  });

  test('stays when a dispute ends, and is replaced when an admin sets the order to UnPaid and to Paid again', async () => {
    await orders.nameSite('Northrank');
    const { _id: id } = await orders.place();
    await orders.applyChange(id, fromProvider('paid'));
    await orders.applyChange(id, fromProvider('disputed'));
    await orders.nameSite('Summit');
    await orders.applyChange(id, fromProvider('paid'));
    expect((await getOrder(id)).seller).toBe('Northrank');
    await setPayment(id, 'UnPaid');
    await setPayment(id, 'Paid');
    expect((await getOrder(id)).seller).toBe('Summit');
  });
});

describe('the timeline', () => {
  test('keeps entries that come without a change of the order, and returns the newest 200, oldest first', async () => {
    const { _id: id } = await orders.place();
    const entries = Array.from({ length: 230 }, (_, i): TimelineInput => ({
      kind: 'notice_received',
      text: `Notification ${i}`,
      by: 'PayPal',
    }));
    expect(await orders.applyChange(id, {}, { entries })).toBe(false);
    expect((await getOrder(id)).version).toBe(1);
    const returned = await timeline(id);
    expect(returned.map(({ text }) => text)).toEqual(entries.slice(30).map(({ text }) => text));
  });
});

describe('fifty concurrent changes', () => {
  test('make each transition once, with one event', async () => {
    const { _id: id } = await orders.place();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 2
          ? orders.applyChange(id, fromProvider('paid'))
          : cancel(id).then(
              ({ modified }) => modified,
              () => false,
            ),
      ),
    );
    const final = await getOrder(id, admin);
    expect(final.paymentStatus).toBe('Paid');
    const changes = outcomes.filter(Boolean).length;
    expect(final.version).toBe(1 + changes);
    const published = await eventsOf(id);
    expect(published.filter(({ event }) => event === 'orders.paid')).toHaveLength(1);
    expect(published.filter(({ event }) => event === 'orders.cancelled')).toHaveLength(changes - 1);
  });
});

describe('a change of a monthly plan', () => {
  test('is recorded with its author; a reminder that was due anyway is recorded without one', async () => {
    const plan = await orders.putPlan(await orders.place(), {
      state: 'past_due',
      past_due_since: new Date(Date.now() - 4 * 86_400_000),
      next_charge_at: new Date(Date.now() + 86_400_000),
      outstanding_cents: 29_000,
    });
    const { app } = orders.replicas[0]!;
    const [changes, subscriptions] = [
      app.get(SubscriptionChangeService, { strict: false }),
      app.get(SubscriptionRepository, { strict: false }),
    ];
    await app.get(DataSource, { strict: false }).transaction(async (tx) => {
      const change = { desiredStatus: 'charging', packageName: 'Premium' } as const;
      await changes.apply(tx, (await subscriptions.lock(tx, plan))!, change, { by: customer });
    });
    const { rows } = await orders.sql.query(
      'SELECT text, by FROM subscription_timeline WHERE subscription_id = $1 ORDER BY id',
      [plan],
    );
    expect(rows).toEqual([
      { text: 'We reminded the customer of the failed charge.', by: null },
      { text: 'The package is now Premium.', by: customer.email },
    ]);
  });
});
