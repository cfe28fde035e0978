import type { FastifyInstance } from 'fastify';
import { operation, type RestContext, wantsRepresentation } from './context.js';
import { ApiError } from './errors.js';
import { readOrderRequest } from './order-request.js';

const repetition = { repeatedStatus: 200, keptForMs: 6 * 3_600_000 } as const;

type OrderRoute = { Params: { id: string } };

export function registerOrders(
  api: FastifyInstance,
  { paypal, authenticate, answerOnce }: RestContext,
): void {
  const { rest } = paypal;

  api.post('/v2/checkout/orders', operation('orders.create'), (request, reply) =>
    answerOnce(request, reply, repetition, ({ merchantId }) => {
      const orderRequest = readOrderRequest(request.body);
      if (orderRequest.namesPayPal && request.headers['paypal-request-id'] === undefined) {
        throw new ApiError('INVALID_REQUEST', [
          {
            issue: 'PAYPAL_REQUEST_ID_REQUIRED',
            description:
              "A PayPal-Request-Id is required if you are trying to process payment for an Order. Please specify a PayPal-Request-Id or Create the Order without a 'payment_source' specified.",
          },
        ]);
      }
      const order = rest.orders.create(merchantId, orderRequest);
      return wantsRepresentation(request)
        ? rest.resources.order(order, undefined)
        : rest.resources.minimalOrder(order);
    }),
  );

  api.get<OrderRoute>('/v2/checkout/orders/:id', operation('orders.get'), (request) => {
    const order = rest.orders.get(request.params.id, authenticate(request).merchantId);
    return rest.resources.order(order, rest.paymentOf(order));
  });

  api.post<OrderRoute>('/v2/checkout/orders/:id/capture', operation('orders.capture'), (request, reply) =>
    answerOnce(request, reply, repetition, ({ merchantId }) => {
      const order = rest.orders.get(request.params.id, merchantId);
      const payment = rest.captureOrder(order);
      return wantsRepresentation(request)
        ? rest.resources.order(order, payment)
        : rest.resources.minimalCapturedOrder(order, payment);
    }),
  );
}
