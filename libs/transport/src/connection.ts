import { setTimeout as pause } from 'node:timers/promises';
import { createClient, ErrorReply } from 'redis';
import { TimeoutError, within } from '#libs/runtime';
import { errorFields, type TransportLogger } from './observer.js';

export type Connection = ReturnType<typeof createConnection>;

const options = () => ({
  disableOfflineQueue: true,
  disableClientInfo: true,
  maintNotifications: 'disabled' as const,
  // The transport limits the time of each request by itself; node-redis would create an AbortSignal for each command.
  commandOptions: { timeout: undefined },
  // A connection that does not answer pings is closed after ten seconds of silence.
  pingInterval: 3000,
  socket: {
    connectTimeout: 2000,
    socketTimeout: 10_000,
    reconnectStrategy: (attempt: number) => Math.min(25 * 2 ** attempt, 500) + Math.random() * 50,
  },
});

/** Never connected, only duplicated: for each client that is not a duplicate, node-redis creates a class of five hundred commands (30 ms). */
let template: ReturnType<typeof createTemplate> | undefined;
const createTemplate = () => createClient(options());

/**
 * A connection that reconnects by itself and never queues while it is down: callers learn immediately that Redis is unreachable and decide what
 * that means for them.
 */
export function createConnection(url: string, name: string, log: TransportLogger) {
  template ??= createTemplate();
  // With its own copy of the options: a client writes the address into them.
  const client = template.duplicate({ ...options(), url, name });
  let isUnreachable = false;
  client.on('error', (error) => {
    if (!isUnreachable) log.warn({ connection: name, ...errorFields(error) }, 'Redis is unreachable');
    isUnreachable = true;
  });
  client.on('ready', () => {
    if (isUnreachable) log.info({ connection: name }, 'Redis is reachable again');
    isUnreachable = false;
  });
  return client;
}

/** Closes the connection in any state. Waits for Redis no longer than a second. */
export async function closeConnection(connection: Connection): Promise<void> {
  if (connection.isReady) await within(1000, connection.close()).catch(() => undefined);
  if (connection.isOpen) connection.destroy();
}

/** Whether Redis answered with an error (as opposed to not answering), one that starts with `code` if given. */
export function isReplyError(error: unknown, code = ''): boolean {
  return error instanceof ErrorReply && error.message.startsWith(code);
}

/** How long (ms) a command waits for Redis before its connection counts as dead. Shorter than `socketTimeout`, because a caller waits. */
export const silenceMs = 5000;

/**
 * Resolves with the result of `work` on this connection. If Redis is silent, rejects and opens the connection again: a network that drops
 * packets closes nothing, and the kernel would keep trying for a quarter of an hour.
 */
export async function answerOf<T>(connection: Connection, work: Promise<T>): Promise<T> {
  try {
    return await within(silenceMs, work);
  } catch (error) {
    if (error instanceof TimeoutError) reopen(connection);
    throw error;
  }
}

export function reopen(connection: Connection): void {
  if (!connection.isReady) return;
  connection.destroy();
  connection.connect().catch(() => undefined);
}

/** Subscribes, and tries again if the connection breaks meanwhile; afterwards, reconnects restore the subscription. */
export async function subscribeForGood(
  connection: Connection,
  channels: string | string[],
  listener: (message: string, channel: string) => void,
): Promise<void> {
  for (;;) {
    try {
      return await connection.subscribe(channels, listener);
    } catch (error) {
      if (!connection.isOpen || isReplyError(error)) throw error;
      await pause(100);
    }
  }
}
