import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Pairs } from '../encoding.js';
import type { ApiMisbehaviour } from '../model.js';
import type { PayPal } from '../paypal.js';
import { ApiError, forbidden } from './errors.js';
import { isObject } from './request-fields.js';

/** Makes calls of the REST API go wrong by the rules that tests set with `misbehaveApi`. */
export function registerApiFaults(api: FastifyInstance, paypal: PayPal): void {
  const faults = new WeakMap<FastifyRequest, ApiMisbehaviour>();
  const closing = new AbortController();
  api.addHook('preClose', async () => closing.abort());

  api.addHook('preHandler', async (request, reply) => {
    // The routes of webhooks do not name their operation.
    const name = request.routeOptions.config.paypalOperation ?? 'webhooks';
    const fault = paypal.misbehaviours.takeForCall(name, subjectOf(request, paypal));
    if (!fault) return;
    if (fault.mode === 'error') throw new ApiError('SERVICE_UNAVAILABLE');
    if (fault.mode === 'rate limited') {
      reply.header('retry-after', '1');
      throw new ApiError('RATE_LIMIT_REACHED');
    }
    if (fault.mode === 'forbidden') throw forbidden();
    faults.set(request, fault);
  });

  // Runs when the call is finished, even if it was refused, and after the server's own onSend hook has saved the state.
  api.addHook('onSend', async (request, reply, payload) => {
    const fault = faults.get(request);
    return fault ? applyFault(fault, reply, payload, closing.signal) : payload;
  });
}

async function applyFault(
  { mode, delayMs = 2_000 }: ApiMisbehaviour,
  reply: FastifyReply,
  payload: unknown,
  closing: AbortSignal,
): Promise<unknown> {
  const isRefused = reply.statusCode >= 400;
  if (isRefused && (mode === 'error after success' || mode === 'empty after success')) return payload;
  switch (mode) {
    case 'empty after success':
      reply.removeHeader('content-length');
      return '';
    case 'error after success': {
      const error = new ApiError('INTERNAL_SERVER_ERROR');
      reply.code(500).removeHeader('content-length');
      return JSON.stringify(error.body(String(reply.getHeader('paypal-debug-id'))));
    }
    case 'html':
      reply.code(200).type('text/html').removeHeader('content-length');
      return '<html><body><h1>Sorry, something went wrong</h1></body></html>';
    case 'slow':
      await pause(delayMs, undefined, { signal: closing }).catch(() => undefined);
      return payload;
    case 'timeout':
      await pause(2 ** 31 - 1, undefined, { signal: closing }).catch(() => undefined);
      return payload;
    case 'reset':
      reply.raw.destroy();
      return payload;
    // The preHandler hook has answered these.
    case 'error':
    case 'rate limited':
    case 'forbidden':
      return payload;
  }
}

/** What a call is about, as the fields that `matchesFields` compares. */
function subjectOf(request: FastifyRequest, { rest, ledger }: PayPal): Pairs {
  const { id } = (request.params ?? {}) as { id?: string };
  if (id === undefined) return fieldsOfBody(request.body);
  const order = rest.orders.find(id);
  if (order) {
    const { customId, invoiceId } = order.request;
    return [
      ['order_id', order.id],
      ['invoice', invoiceId ?? ''],
      ['custom', customId ?? ''],
      ['txn_id', order.captureId ?? ''],
    ];
  }
  const subscription = rest.subscriptions.find(id);
  if (subscription)
    return [
      ['subscription_id', subscription.id],
      ['custom', subscription.customId],
    ];
  const [payment] = ledger.list({ transactionId: id });
  if (!payment) return [];
  const { invoice, custom } = payment.purchase;
  return [
    ['order_id', payment.orderId ?? ''],
    ['subscription_id', payment.subscriptionId ?? ''],
    ['invoice', invoice],
    ['custom', custom],
    ['txn_id', payment.transactionId],
  ];
}

function fieldsOfBody(body: unknown): Pairs {
  const units: unknown = isObject(body) ? body.purchase_units : undefined;
  const unit: unknown = Array.isArray(units) ? units[0] : body;
  if (!isObject(unit)) return [];
  const text = (name: string) => (typeof unit[name] === 'string' ? unit[name] : '');
  return [
    ['invoice', text('invoice_id')],
    ['custom', text('custom_id')],
  ];
}
