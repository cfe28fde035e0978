import { setTimeout as pause } from 'node:timers/promises';
import { createClient, ErrorReply } from 'redis';
import { TimeoutError, within } from '#libs/runtime';
import { errorFields, type TransportLogger } from './observer.js';

export type Connection = ReturnType<typeof createConnection>;

const options = () => ({
  disableOfflineQueue: true,
  disableClientInfo: true,
  maintNotifications: 'disabled' as const,
  // The transport limits the time of each request itself; node-redis would create an AbortSignal for each command.
  commandOptions: { timeout: undefined },
  // A connection that does not answer a ping is closed after ten seconds, unless commands are sent meanwhile: each restarts `socketTimeout`.
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

/** Reconnects by itself. Never queues while it is down: calls then fail immediately. */
export function createConnection(url: string, name: string, log: TransportLogger) {
  template ??= createTemplate();
  // New options for each client, because a client writes its address into them.
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

/** Works in any state. Waits for Redis for at most a second. */
export async function closeConnection(connection: Connection): Promise<void> {
  if (connection.isReady) await within(1000, connection.close()).catch(() => undefined);
  if (connection.isOpen) connection.destroy();
}

/** Whether Redis answered with an error, which starts with `code` if given. */
export function isReplyError(error: unknown, code = ''): boolean {
  return error instanceof ErrorReply && error.message.startsWith(code);
}

/** How long (ms) a command waits for Redis before its connection counts as dead. Shorter than `socketTimeout`, because a caller waits. */
export const maxSilenceMs = 5000;

/**
 * Rejects after `maxSilenceMs` without an answer, and reopens the connection. In a network that drops packets, the connection could
 * otherwise stay open for a quarter of an hour, while the kernel keeps trying: each command restarts `socketTimeout`.
 */
export async function answerOrReopen<T>(connection: Connection, work: Promise<T>): Promise<T> {
  try {
    return await within(maxSilenceMs, work);
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

/** Subscribes, and tries again if the connection breaks meanwhile. */
export async function subscribeWithRetry(
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
