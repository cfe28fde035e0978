import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PayPal } from '../paypal.js';
import type { ApiOperation } from '../model.js';
import type { App } from './apps.js';

interface Repetition {
  /** Default: 201. */
  firstStatus?: 200;
  /** The status of the answer to a repetition. */
  repeatedStatus: 200 | 201;
  keptForMs: number;
}

export interface RestContext {
  paypal: PayPal;
  /** Returns the app to which the access token of the request was issued. Throws 401. */
  authenticate(request: FastifyRequest): App;
  /**
   * Sends the result of `work`, and keeps it as the answer for the request's `PayPal-Request-Id`, unless `work` throws. While an answer for the same
   * app, method, address and `PayPal-Request-Id` is kept, sends the kept answer without calling `work`.
   */
  answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    repetition: Repetition,
    work: (app: App) => object,
  ): FastifyReply;
}

export function contextOf(paypal: PayPal): RestContext {
  const { rest } = paypal;
  const authenticate = (request: FastifyRequest) => rest.apps.getByAccessToken(request.headers.authorization);
  return {
    paypal,
    authenticate,
    answerOnce(request, reply, { firstStatus = 201, repeatedStatus, keptForMs }, work) {
      const app = authenticate(request);
      const requestId = request.headers['paypal-request-id'];
      if (typeof requestId !== 'string') return reply.code(firstStatus).send(work(app));
      const key = `${app.clientId} ${request.method} ${request.url} ${requestId}`;
      const keptAnswer = rest.answers.find(key);
      if (keptAnswer) return reply.code(repeatedStatus).send(keptAnswer);
      const answer = work(app);
      rest.answers.keep(key, answer, keptForMs);
      return reply.code(firstStatus).send(answer);
    },
  };
}

export const wantsRepresentation = ({ headers }: FastifyRequest) =>
  headers.prefer === 'return=representation';

declare module 'fastify' {
  interface FastifyContextConfig {
    paypalOperation?: ApiOperation;
  }
}

/** Route options that name the operation of PayPal's API. An `ApiMisbehaviour` can select calls by this name. */
export const operation = (name: ApiOperation) => ({ config: { paypalOperation: name } });
