import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { defaultBuyer } from '../checkouts.js';
import {
  buyer,
  certificateFault,
  maxListed,
  milliseconds,
  notificationQuery,
  parse,
  paymentMatch,
  text,
  times,
  url,
} from '../control-inputs.js';
import type { ApiFault, ApiOperation, OrderPaymentMethod } from '../model.js';
import type { PayPal } from '../paypal.js';
import { webhookView } from '../views.js';

const operations = [
  'token',
  'orders.create',
  'orders.get',
  'orders.capture',
  'captures.get',
  'captures.refund',
  'refunds.get',
  'products',
  'plans',
  'subscriptions.create',
  'subscriptions.get',
  'subscriptions.suspend',
  'subscriptions.activate',
  'subscriptions.cancel',
  'subscriptions.revise',
  'subscriptions.capture',
  'subscriptions.transactions',
  'disputes.list',
  'disputes.get',
  'webhooks',
] as const satisfies ApiOperation[];
const faults = [
  'error',
  'rate limited',
  'forbidden',
  'error after success',
  'empty after success',
  'html',
  'slow',
  'timeout',
  'reset',
] as const satisfies ApiFault[];
const orderPaymentMethods = [
  'balance',
  'card',
  'echeck',
  'review',
  'declined',
  'refused',
] as const satisfies OrderPaymentMethod[];

const syntheticWebhook = z.strictObject({
  url,
  webhookId: text(50).optional(),
  event: z.record(text(64), z.unknown()).optional(),
  body: text(60_000).optional(),
  certificate: certificateFault.optional(),
  agedMs: milliseconds.optional(),
  headers: z.record(text(64).regex(/^[a-z-]+$/), text(1_024).nullable()).optional(),
});

const inputs = {
  app: z.strictObject({
    clientId: text(255).min(1).optional(),
    secret: text(255).min(1).optional(),
    webhookId: text(50).min(1).optional(),
    webhookUrl: url.optional(),
    email: z.email().max(127).optional(),
    eventTypes: z.array(text(64)).min(1).max(100).optional(),
  }),
  approval: z.strictObject({
    with: z.enum(orderPaymentMethods).optional(),
    buyer,
  }),
  misbehaviour: z.strictObject({
    operation: z.enum(operations).optional(),
    mode: z.enum(faults),
    delayMs: z.int().min(0).max(600_000).optional(),
    match: paymentMatch.optional(),
    times,
  }),
  webhook: syntheticWebhook.extend({ copyFromId: z.uuid().optional(), genuine: z.boolean().optional() }),
  flood: syntheticWebhook.extend({
    count: z.int().min(1).max(100_000),
    concurrency: z.int().min(1).max(200).optional(),
  }),
};

export function registerRestControl(app: FastifyInstance, paypal: PayPal): void {
  const { rest, notifications, misbehaviours } = paypal;

  app.post('/control/apps', (request) => rest.createOrUpdateApp(parse(inputs.app, request.body)));
  app.post<{ Params: { id: string } }>('/control/orders/:id/approval', (request) => {
    const { with: method = 'balance', buyer: details } = parse(inputs.approval, request.body);
    return { returnUrl: rest.approveOrder(request.params.id, method, { ...defaultBuyer, ...details }) };
  });
  app.delete('/control/tokens', () => {
    rest.apps.revokeTokens();
    return {};
  });
  app.post('/control/api-misbehaviour', (request) => {
    misbehaviours.addForCalls(parse(inputs.misbehaviour, request.body));
    return {};
  });
  app.get('/control/webhooks', (request) =>
    notifications.list('webhook', parse(notificationQuery, request.query)).slice(-maxListed).map(webhookView),
  );
  app.post('/control/webhooks', async (request) =>
    webhookView(await paypal.sendSyntheticWebhook(parse(inputs.webhook, request.body))),
  );
  app.post('/control/floods', async (request) => {
    const { count, concurrency = 20, ...webhook } = parse(inputs.flood, request.body);
    return paypal.floodWebhooks(count, concurrency, webhook);
  });
}
