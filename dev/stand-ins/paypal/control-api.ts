import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  certificateFault,
  maxListed,
  milliseconds,
  notificationQuery,
  parse,
  paymentMatch,
  text,
  times,
  url,
} from './control-inputs.js';
import type { PaymentRecord } from './ledger.js';
import type { PaymentStatus, PostbackMode } from './model.js';
import { parseAmount } from './money.js';
import type { PayPal } from './paypal.js';
import { Refusal } from './refusal.js';
import { ipnView, paymentView, webhookView } from './views.js';
import type { Webscr } from './webscr.js';

const tenYearsMs = 3_653 * 24 * 3_600_000;
const fieldChanges = z.record(text(64), text(2_000).nullable());
const paymentStatuses = [
  'Completed',
  'Pending',
  'Failed',
  'Denied',
  'Expired',
  'Voided',
  'Refunded',
  'Reversed',
  'Canceled_Reversal',
] as const satisfies PaymentStatus[];
const postbackModes = [
  'normal',
  'timeout',
  'drip',
  'error',
  'html',
  'redirect',
  'wrong word',
  'invalid',
  'reset',
] as const satisfies PostbackMode[];
const decimalAmount = text(12).regex(/^\d{1,7}(\.\d{1,2})?$/, 'must be an amount');

const inputs = {
  merchant: z.strictObject({
    email: z.email().max(127),
    otherEmails: z.array(z.email().max(127)).max(8).optional(),
    charset: z.enum(['windows-1252', 'utf-8']).optional(),
    pdtToken: text(127).nullable().optional(),
    autoReturn: z.boolean().optional(),
    blocksDuplicateInvoices: z.boolean().optional(),
    notifyUrl: url.nullable().optional(),
    profileTax: decimalAmount.nullable().optional(),
    profileShipping: decimalAmount.nullable().optional(),
  }),
  refund: z.strictObject({ amount: text(20).optional() }),
  dispute: z.strictObject({ step: z.enum(['opened', 'won', 'lost']), amount: text(20).optional() }),
  settlement: z.strictObject({ as: z.enum(['Completed', 'Failed', 'Denied', 'Expired', 'Voided']) }),
  ipnQuery: notificationQuery,
  clock: z.strictObject({
    advanceMs: z.int().min(0).max(tenYearsMs).optional(),
    to: z.iso.datetime().optional(),
    startAt: z.iso.datetime().optional(),
  }),
  misbehaviour: z.strictObject({
    match: paymentMatch,
    how: z.strictObject({
      hold: z.boolean().optional(),
      delayMs: milliseconds.optional(),
      drop: z.boolean().optional(),
      duplicate: z.int().min(1).max(50).optional(),
      fields: fieldChanges.optional(),
      tamper: fieldChanges.optional(),
      append: z
        .array(z.tuple([text(64), text(2_000)]))
        .max(100)
        .optional(),
      statuses: z.array(z.enum(paymentStatuses)).optional(),
      events: z.array(text(64)).max(100).optional(),
      certificate: certificateFault.optional(),
      spoil: z.enum(['body', 'signature']).optional(),
      agedMs: milliseconds.optional(),
      times,
    }),
  }),
  forget: z.strictObject({ match: paymentMatch.optional() }),
  deliveries: z.strictObject({ ids: z.array(z.uuid()).min(1).max(1_000) }),
  syntheticIpn: z.strictObject({
    url,
    copyFromId: z.uuid().optional(),
    fields: fieldChanges.optional(),
    genuine: z.boolean().optional(),
    body: text(60_000)
      .regex(/^[\x20-\x7e]*$/, 'must be ASCII')
      .optional(),
  }),
  postback: z.strictObject({ mode: z.enum(postbackModes), match: paymentMatch.optional(), times }),
};

/** Routes that `PayPalSimulator` (`client.ts`) calls. The orders service calls those of the clock as well. */
export function registerControl(app: FastifyInstance, paypal: PayPal, webscr: Webscr): void {
  const { ledger, merchants, notifications, misbehaviours, clock, timeline } = paypal;
  const view = (payment: PaymentRecord) => paymentView(payment, merchants);
  const now = () => new Date(clock.now()).toISOString();
  const clockState = () => ({ now: now(), ahead: clock.ahead });

  app.get('/ledger', (request) => {
    const found = ledger.list(parse(paymentMatch, request.query));
    return { now: now(), total: found.length, payments: found.slice(-maxListed).map(view) };
  });
  app.post('/control/merchants', (request) => {
    return { ...merchants.createOrUpdate(parse(inputs.merchant, request.body)) };
  });

  app.post<{ Params: { id: string } }>('/control/payments/:id/refunds', (request) => {
    const { amount } = parse(inputs.refund, request.body);
    return view(ledger.refund(request.params.id, parsePaymentAmount(paypal, request.params.id, amount)));
  });
  app.post<{ Params: { id: string } }>('/control/payments/:id/disputes', (request) => {
    const { step, amount } = parse(inputs.dispute, request.body);
    return view(
      ledger.setDisputeStep(request.params.id, step, parsePaymentAmount(paypal, request.params.id, amount)),
    );
  });
  app.post<{ Params: { id: string } }>('/control/payments/:id/settlement', (request) => {
    const { as } = parse(inputs.settlement, request.body);
    return view(ledger.settle(request.params.id, as));
  });

  app.get('/control/notices', (request) =>
    notifications.list('ipn', parse(inputs.ipnQuery, request.query)).slice(-maxListed).map(ipnView),
  );
  app.post('/control/notices', async (request) =>
    ipnView(await paypal.sendSyntheticIpn(parse(inputs.syntheticIpn, request.body))),
  );
  app.post('/control/deliveries', async (request) => {
    const { ids } = parse(inputs.deliveries, request.body);
    // Refuses an unknown id before anything is sent.
    for (const id of ids) notifications.get(id);
    const delivered = [];
    for (const id of ids) delivered.push(await notifications.deliver(id));
    return delivered.map((notification) =>
      notification.webhook ? webhookView(notification) : ipnView(notification),
    );
  });
  app.get('/control/clock', clockState);
  app.post('/control/clock', async (request) => {
    const { advanceMs, to, startAt } = parse(inputs.clock, request.body);
    if (startAt !== undefined) paypal.setClock(Date.parse(startAt));
    await (to === undefined ? timeline.advance(advanceMs ?? 0) : timeline.advanceTo(Date.parse(to)));
    return clockState();
  });
  app.get('/control/idle', async () => {
    await notifications.waitUntilIdle();
    return { now: now() };
  });

  app.post('/control/misbehaviour', (request) => {
    const rule = parse(inputs.misbehaviour, request.body);
    misbehaviours.addForNotifications(rule.match, rule.how);
    return {};
  });
  app.delete('/control/misbehaviour', (request) => {
    misbehaviours.forget(parse(inputs.forget, request.body).match);
    return {};
  });
  app.get('/control/postbacks', () => webscr.postbacks);
  app.post('/control/postback', (request) => {
    const { mode, match = {}, times: count } = parse(inputs.postback, request.body);
    misbehaviours.addForPostbacks(match, mode, count);
    return {};
  });
}

/** In minor units; undefined if none is given. Throws a Refusal if it is not an amount. */
export function parsePaymentAmount(
  paypal: PayPal,
  transactionId: string,
  amount?: string,
): number | undefined {
  if (amount === undefined) return undefined;
  const minor = parseAmount(amount, paypal.ledger.get(transactionId).purchase.currency);
  if (minor === undefined) throw new Refusal(400, 'This is not an amount.', 'amount');
  return minor;
}
