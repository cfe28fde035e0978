import type { Server, ServerResponse } from 'node:http';
import { Server as SocketServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface HttpDrainOptions {
  /** How long the server continues to accept connections, in milliseconds (SHUTDOWN_DELAY_MS). */
  delayMs: number;
  /** How long idle connections may still send a request after that, in milliseconds. */
  graceMs: number;
  /** Called when the server has stopped listening, to end answers that would otherwise go on forever. */
  onStoppedListening?: () => void;
}

/** Node sets `_httpMessage` to the response of the current request, and to null between requests. There is no public API for it. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

const checkEveryMs = 20;

/**
 * Lets an HTTP server stop without losing a request: call it before the server listens, and call the function that it returns to stop the server.
 *
 * For `delayMs` the server then serves as before, except that each answer closes its connection, so clients and load balancers move to
 * other processes. Then it stops listening, and connections that are still open may send one more request within `graceMs`. After that,
 * connections without a request in hand are cut. The promise resolves when the last request has been answered.
 *
 * `server.close()` alone cuts idle connections immediately, and with them the requests that are on their way there; and it waits without limit for
 * clients that opened a connection and never sent anything.
 */
export function drainable(server: Server): (options: HttpDrainOptions) => Promise<void> {
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
    for (const { _httpMessage: inHand } of sockets) if (inHand) closeAfter(inHand);
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
