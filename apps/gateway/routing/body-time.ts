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
      // Keeps neither the process running nor the request in memory. A request whose body is refused early may emit neither `end` nor `close`.
      const timer = setTimeout(destroy, timeoutMs, raw.socket).unref();
      const arrived = () => clearTimeout(timer);
      raw.once('end', arrived).once('close', arrived);
    }
    done();
  });
}

const destroy = (socket: Socket) => socket.destroy();
