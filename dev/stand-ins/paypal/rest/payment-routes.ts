import type { FastifyInstance } from 'fastify';
import type { RefundTexts } from '../ledger.js';
import { operation, type RestContext, wantsRepresentation } from './context.js';
import { isObject, type JsonObject, readMoney, readText } from './request-fields.js';

/** A repeated request gets 201, too, because PayPal documents no other status for a refund. */
const repetition = { repeatedStatus: 201, keptForMs: 45 * 24 * 3_600_000 } as const;

type PaymentRoute = { Params: { id: string } };

export function registerPayments(
  api: FastifyInstance,
  { paypal, authenticate, answerOnce }: RestContext,
): void {
  const { rest } = paypal;

  api.get<PaymentRoute>('/v2/payments/captures/:id', operation('captures.get'), (request) =>
    rest.resources.capture(rest.getCapture(request.params.id, authenticate(request).merchantId)),
  );

  api.post<PaymentRoute>('/v2/payments/captures/:id/refund', operation('captures.refund'), (request, reply) =>
    answerOnce(request, reply, repetition, ({ merchantId }) => {
      const payment = rest.getCapture(request.params.id, merchantId);
      const body = isObject(request.body) ? request.body : {};
      const money = body.amount === undefined ? null : readMoney(body.amount, '/amount');
      const refund = rest.resources.refund(payment, rest.refund(payment, money, textsOf(body)));
      const { id, status, links } = refund as { id: string; status: string; links: unknown };
      return wantsRepresentation(request) ? refund : { id, status, links };
    }),
  );

  api.get<PaymentRoute>('/v2/payments/refunds/:id', operation('refunds.get'), (request) => {
    const { payment, entry } = rest.getRefund(request.params.id, authenticate(request).merchantId);
    return rest.resources.refund(payment, entry);
  });
}

function textsOf(body: JsonObject): RefundTexts {
  const note = readText(body, 'note_to_payer', 255, '');
  const invoice = readText(body, 'invoice_id', 127, '');
  const custom = readText(body, 'custom_id', 127, '');
  return {
    ...(note !== undefined && { note }),
    ...(invoice !== undefined && { invoice }),
    ...(custom !== undefined && { custom }),
  };
}
