import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { defaultBuyer } from '../checkouts.js';
import { buyer, maxListed, parse, text } from '../control-inputs.js';
import type { FundingSource, Subscription } from '../model.js';
import { formatAmount } from '../money.js';
import type { PayPal } from '../paypal.js';
import { Refusal } from '../refusal.js';
import { paymentView } from '../views.js';
import type { SubscriptionRecord } from './subscriptions.js';

const fundingSource = z.enum(['ok', 'declined', 'echeck'] satisfies FundingSource[]);
const inputs = {
  query: z.strictObject({ subscriptionId: text(50).optional(), custom: text(127).optional() }),
  approval: z.strictObject({ with: fundingSource.optional(), buyer }),
  fund: z.strictObject({ fund: fundingSource }),
  reason: z.strictObject({ reason: text(128).optional() }),
};

type IdRoute = { Params: { id: string } };

export function registerBillingControl(app: FastifyInstance, paypal: PayPal): void {
  const { subscriptions } = paypal.rest;
  const path = '/control/subscriptions';
  const recordOf = (id: string) => subscriptions.getOfAnyMerchant(id);
  const view = (record: SubscriptionRecord) => subscriptionView(record, paypal);

  app.get(path, (request) => {
    const { subscriptionId, custom } = parse(inputs.query, request.query);
    const found = subscriptions.all.filter(
      ({ id, customId }) =>
        (subscriptionId === undefined || id === subscriptionId) &&
        (custom === undefined || customId === custom),
    );
    return found.slice(-maxListed).map(view);
  });
  app.post<IdRoute>(`${path}/:id/approval`, (request) => {
    const record = recordOf(request.params.id);
    if (record.status !== 'APPROVAL_PENDING') throw new Refusal(409, 'The subscription is approved already.');
    const { with: fund = 'ok', buyer: details } = parse(inputs.approval, request.body);
    const by = { fund, buyer: { ...defaultBuyer, ...details } };
    return { returnUrl: subscriptions.approve(record, by) };
  });
  app.post<IdRoute>(`${path}/:id/revision-approval`, (request) => ({
    returnUrl: subscriptions.approve(recordOf(request.params.id)),
  }));
  app.post<IdRoute>(`${path}/:id/fund`, (request) => {
    const record = recordOf(request.params.id);
    subscriptions.setFundingSource(record, parse(inputs.fund, request.body).fund);
    return view(record);
  });
  for (const [action, name] of [
    ['suspend', 'suspension'],
    ['cancel', 'cancellation'],
  ] as const) {
    app.post<IdRoute>(`${path}/:id/${name}`, (request) => {
      const record = recordOf(request.params.id);
      const { reason = 'Changed in the PayPal account.' } = parse(inputs.reason, request.body);
      subscriptions[action](record, reason);
      return view(record);
    });
  }
}

const isoOrNull = (time: number | null | undefined) => (time ? new Date(time).toISOString() : null);

function subscriptionView(record: SubscriptionRecord, { rest, ledger, merchants }: PayPal): Subscription {
  const plan = rest.subscriptions.planOf(record);
  const { currency } = plan.price;
  const { id, email } = merchants.get(record.merchantId);
  const charges = ledger.list({ subscriptionId: record.id });
  return {
    id: record.id,
    status: record.status,
    statusNote: record.statusNote,
    planId: plan.id,
    planName: plan.name,
    price: formatAmount(plan.price.minor, currency),
    currency,
    custom: record.customId,
    merchant: { id, email },
    buyer: record.buyer,
    fund: record.fund,
    createdAt: new Date(record.createdAt).toISOString(),
    startedAt: isoOrNull(record.startedAt),
    cyclesBilled: record.cycles,
    nextBillingAt: isoOrNull(record.nextBillingAt),
    retryAt: isoOrNull(record.retry?.at),
    outstanding: formatAmount(record.outstanding, currency),
    failedPayments: record.failures,
    proposedPlanId: record.proposal?.planId ?? null,
    charges: charges.map((payment) => paymentView(payment, merchants)),
  };
}
