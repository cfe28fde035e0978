import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PayPal } from '../paypal.js';
import type { ApiOperation } from '../model.js';
import type { App } from './apps.js';

/** How PayPal answers requests with a `PayPal-Request-Id`. */
interface Repetition {
  /** The status of the first answer. Default: 201. */
  firstStatus?: 200;
  /** The status of the answer to a repetition. */
  repeatedStatus: 200 | 201;
  keptForMs: number;
}

/** What the routes of the REST API share. */
export interface RestContext {
  paypal: PayPal;
  /** The app whose bearer token the request has. Throws 401. */
  appOf(request: FastifyRequest): App;
  /**
   * Sends the result of `work`, and keeps it as the answer for the request's `PayPal-Request-Id`, unless `work` throws. While an answer for the
   * same app, address and `PayPal-Request-Id` is kept, sends that answer instead, and does not call `work`.
   */
  once(
    request: FastifyRequest,
    reply: FastifyReply,
    repetition: Repetition,
    work: (app: App) => object,
  ): FastifyReply;
}

export function contextOf(paypal: PayPal): RestContext {
  const { rest } = paypal;
  const appOf = (request: FastifyRequest) => rest.apps.ofBearer(request.headers.authorization);
  return {
    paypal,
    appOf,
    once(request, reply, { firstStatus = 201, repeatedStatus, keptForMs }, work) {
      const app = appOf(request);
      const requestId = request.headers['paypal-request-id'];
      if (typeof requestId !== 'string') return reply.code(firstStatus).send(work(app));
      const key = `${app.clientId} ${request.method} ${request.url} ${requestId}`;
      const before = rest.answers.find(key);
      if (before) return reply.code(repeatedStatus).send(before);
      const answer = work(app);
      rest.answers.keep(key, answer, keptForMs);
      return reply.code(firstStatus).send(answer);
    },
  };
}

/** Whether the answer is to contain the whole resource. */
export const wantsAll = ({ headers }: FastifyRequest) => headers.prefer === 'return=representation';

declare module 'fastify' {
  interface FastifyContextConfig {
    paypalOperation?: ApiOperation;
  }
}

/** Route options that name the operation of PayPal's API which the route implements, so that the rules set by `misbehaveApi` can select its calls. */
export const operation = (name: ApiOperation) => ({ config: { paypalOperation: name } });
