import type { FastifyInstance } from 'fastify';
import type { RefundTexts } from '../ledger.js';
import type { RestContext } from './context.js';
import { isObject, type Json, readMoney, readText } from './money-request.js';

/** How long PayPal keeps a `PayPal-Request-Id` of a refund. */
const keptForMs = 45 * 24 * 3_600_000;

type PaymentRoute = { Params: { id: string } };

/** Payments v2: captures and refunds. */
export function registerPayments(api: FastifyInstance, { paypal, appOf, once }: RestContext): void {
  const { rest } = paypal;

  api.get<PaymentRoute>('/v2/payments/captures/:id', (request) =>
    rest.resources.capture(rest.captured(request.params.id, appOf(request).merchantId)),
  );

  api.post<PaymentRoute>('/v2/payments/captures/:id/refund', (request, reply) =>
    once(request, reply, keptForMs, ({ merchantId }) => {
      const payment = rest.captured(request.params.id, merchantId);
      const body = isObject(request.body) ? request.body : {};
      const money = body.amount === undefined ? null : readMoney(body.amount, '/amount');
      const refund = rest.resources.refund(payment, rest.refund(payment, money, textsOf(body)));
      const { id, status, links } = refund as { id: string; status: string; links: unknown };
      return request.headers.prefer === 'return=representation' ? refund : { id, status, links };
    }),
  );

  api.get<PaymentRoute>('/v2/payments/refunds/:id', (request) => {
    const { payment, entry } = rest.refunded(request.params.id, appOf(request).merchantId);
    return rest.resources.refund(payment, entry);
  });
}

function textsOf(body: Json): RefundTexts {
  const note = readText(body, 'note_to_payer', 255, '');
  const invoice = readText(body, 'invoice_id', 127, '');
  const custom = readText(body, 'custom_id', 127, '');
  return {
    ...(note !== undefined && { note }),
    ...(invoice !== undefined && { invoice }),
    ...(custom !== undefined && { custom }),
  };
}
