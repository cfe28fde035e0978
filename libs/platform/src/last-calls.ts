import type { Server } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const lookEveryMs = 20;

/**
 * Lets an HTTP server go without losing a request. It stops listening at once, but connections that are open may ask once more, and are told
 * with that answer to come back on another one. Resolves when none is left, or after `graceMs`; then `server.close()` may cut
 * what is idle: whoever was silent for so long is not about to speak.
 *
 * `server.close()` alone cuts idle connections at once, and with them the requests that are on their way there.
 */
export async function lastCalls(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  // Not HTTP's own `close`, which cuts idle connections too.
  SocketServer.prototype.close.call(server);
  for (const end = performance.now() + graceMs; performance.now() < end; await wait(lookEveryMs)) {
    if ((await connections(server)) === 0) return;
  }
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
