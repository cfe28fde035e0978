import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { PayPal } from '../paypal.js';
import { Refusal } from '../refusal.js';
import { formOf } from '../requests.js';
import { registerApiFaults } from './api-faults.js';
import { registerPlans, registerProducts, registerSubscriptions } from './billing-routes.js';
import { contextOf, operation } from './context.js';
import { ApiError, notFound, OAuthError } from './errors.js';
import { registerDisputes } from './dispute-routes.js';
import { registerOrders } from './order-routes.js';
import { registerPayments } from './payment-routes.js';
import { registerWebhooks } from './webhook-routes.js';

export function registerRest(app: FastifyInstance, paypal: PayPal): void {
  app.get('/simulated-root.pem', async (_request, reply) =>
    reply.type('application/x-pem-file').send((await paypal.rest.certificates.prepare()).root),
  );
  app.get<{ Params: { id: string } }>('/v1/notifications/certs/:id', (request, reply) => {
    const pem = paypal.rest.certificates.findBundle(request.params.id);
    if (pem === undefined) throw new Refusal(404, 'There is no such certificate.');
    return reply.type('application/x-x509-ca-cert').send(pem);
  });
  void app.register((api, _options, done) => {
    registerCommonHandling(api, paypal);
    registerApiFaults(api, paypal);
    const context = contextOf(paypal);
    api.post('/v1/oauth2/token', operation('token'), (request) =>
      paypal.rest.apps.issueToken(request.headers.authorization, formOf(request).grant_type),
    );
    registerOrders(api, context);
    registerPayments(api, context);
    registerProducts(api, context);
    registerPlans(api, context);
    registerSubscriptions(api, context);
    registerDisputes(api, context);
    registerWebhooks(api, context);
    done();
  });
}

function registerCommonHandling(api: FastifyInstance, paypal: PayPal): void {
  api.removeContentTypeParser('application/json');
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = body.toString();
    try {
      done(null, text.trim() === '' ? undefined : JSON.parse(text));
    } catch {
      done(
        new ApiError('INVALID_REQUEST', [
          {
            issue: 'MALFORMED_REQUEST_JSON',
            description: 'The request JSON is not well formed.',
            location: 'body',
          },
        ]),
      );
    }
  });
  api.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'paypal-debug-id': randomBytes(7).toString('hex').slice(0, 13),
      date: new Date(paypal.clock.now()).toUTCString(),
      'cache-control': 'max-age=0, no-cache, no-store, must-revalidate',
    });
  });
  api.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof OAuthError) return reply.code(error.status).send(error.body());
    const apiError = error instanceof ApiError ? error : toApiError(error);
    return reply.code(apiError.status).send(apiError.body(String(reply.getHeader('paypal-debug-id'))));
  });
}

/** Converts refusals, Fastify's own errors (such as a body that is too large), and unexpected errors in the simulator itself. */
function toApiError(error: Error & { statusCode?: number }): ApiError {
  // For example, the payment of an old order is gone, because the ledger keeps only the newest payments.
  if (error instanceof Refusal && error.status === 404) return notFound();
  const { statusCode = error instanceof Refusal ? error.status : 500 } = error;
  return new ApiError(statusCode < 500 ? 'INVALID_REQUEST' : 'INTERNAL_SERVER_ERROR');
}
