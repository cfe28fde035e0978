import type { Server, ServerResponse } from 'node:http';
import { Server as SocketServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface HttpDrainOptions {
  /** How long (ms) the server continues to accept connections: SHUTDOWN_DELAY_MS. */
  delayMs: number;
  /** How long (ms) open connections may still send a request after the server has stopped listening. */
  graceMs: number;
  /** Called once the server has stopped listening, to end answers that would otherwise go on forever. */
  onStoppedListening?: () => void;
}

/** Node sets `_httpMessage` to the current response, and to null between requests. There is no public API for it. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

const checkEveryMs = 20;

/**
 * Lets an HTTP server stop without losing a request. Call it before the server listens; the returned function stops the server.
 *
 * For `delayMs`, each answer closes its connection, so that clients and load balancers move to other processes. Then the server stops listening, and
 * open connections may send one more request within `graceMs`. After that, connections without a request in progress are cut. Resolves when the last
 * request has been answered.
 *
 * `server.close()` alone would cut idle connections immediately, with the requests that are on their way there. It would also wait without limit for
 * clients that never send anything.
 */
export function makeDrainable(server: Server): (options: HttpDrainOptions) => Promise<void> {
  const sockets = new Set<HttpSocket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeAfter = (response: ServerResponse) => {
    response.shouldKeepAlive = false;
  };
  return async ({ delayMs, graceMs, onStoppedListening }) => {
    server.prependListener('request', (_request, response) => closeAfter(response));
    for (const { _httpMessage: response } of sockets) if (response) closeAfter(response);
    await wait(delayMs);
    // Not HTTP's own `close`, which also closes idle connections.
    SocketServer.prototype.close.call(server);
    onStoppedListening?.();
    for (const end = performance.now() + graceMs; sockets.size > 0; await wait(checkEveryMs)) {
      if (performance.now() < end) continue;
      for (const socket of sockets) if (!socket._httpMessage) socket.destroy();
    }
  };
}
