import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { rawBodyMode } from './raw-body.js';

/**
 * Closes connections on which a body has not arrived in time. Streamed bodies have only the server's own `requestTimeout`. Needs the operations that
 * `refuseUndeclaredRoutes` stores in the routes' configs.
 */
export function limitBodyTime(fastify: FastifyInstance, timeoutMs: number): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || raw.headers['content-length'] !== undefined;
    if (hasBody && rawBodyMode(request) !== 'stream') {
      // The timer gets only the socket, so it keeps no request in memory: one that is refused early may emit neither `end` nor `close`.
      const timer = setTimeout(destroy, timeoutMs, raw.socket).unref();
      const arrived = () => clearTimeout(timer);
      raw.once('end', arrived).once('close', arrived);
    }
    done();
  });
}

const destroy = (socket: Socket) => socket.destroy();
