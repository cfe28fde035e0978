import { setTimeout as pause } from 'node:timers/promises';
import { createClient, ErrorReply } from 'redis';
import { errorFields, type TransportLogger } from './observer.js';

export type Connection = ReturnType<typeof createConnection>;

const options = () => ({
  disableOfflineQueue: true,
  disableClientInfo: true,
  maintNotifications: 'disabled' as const,
  // Deadlines are kept here, per request; node-redis would make an AbortSignal for each command.
  commandOptions: { timeout: undefined },
  // A connection whose other side vanished without a word is noticed within ten seconds.
  pingInterval: 3000,
  socket: {
    connectTimeout: 2000,
    socketTimeout: 10_000,
    reconnectStrategy: (attempt: number) => Math.min(25 * 2 ** attempt, 500) + Math.random() * 50,
  },
});

/** Never connected: node-redis builds a class of five hundred commands (30 ms) for each client that is not a duplicate of another. */
let pattern: ReturnType<typeof createPattern> | undefined;
const createPattern = () => createClient(options());

/**
 * A connection that comes back by itself and never queues while it is away: whoever uses it learns at once that
 * Redis is gone and decides what that means for its caller.
 */
export function createConnection(url: string, name: string, log: TransportLogger) {
  pattern ??= createPattern();
  // With options of its own: a client writes the address into them.
  const client = pattern.duplicate({ ...options(), url, name });
  let away = false;
  client.on('error', (error) => {
    if (!away) log.warn({ connection: name, ...errorFields(error) }, 'Redis is away');
    away = true;
  });
  client.on('ready', () => {
    if (away) log.info({ connection: name }, 'Redis is back');
    away = false;
  });
  return client;
}

/** Closes whatever state the connection is in, and does not wait for a Redis that does not answer. */
export async function closeConnection(connection: Connection): Promise<void> {
  if (connection.isReady) await within(1000, connection.close()).catch(() => undefined);
  if (connection.isOpen) connection.destroy();
}

/** Redis answered with an error (as opposed to not answering), one that starts with `code` if given. */
export function isReplyError(error: unknown, code = ''): boolean {
  return error instanceof ErrorReply && error.message.startsWith(code);
}

/** Rejects when `work` is not done after `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotInTime(`Not done within ${ms} ms`)), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

class NotInTime extends Error {}

/** After so long (ms) without an answer a connection counts as dead, though nobody closed it. */
export const silenceMs = 5000;

/**
 * What `work` on this connection answers. If Redis keeps silent, the connection is made anew: a network that swallows
 * packets closes nothing, and the kernel would go on trying for a quarter of an hour.
 */
export async function answered<T>(connection: Connection, work: Promise<T>): Promise<T> {
  try {
    return await within(silenceMs, work);
  } catch (error) {
    if (error instanceof NotInTime) reopen(connection);
    throw error;
  }
}

export function reopen(connection: Connection): void {
  if (!connection.isReady) return;
  connection.destroy();
  connection.connect().catch(() => undefined);
}

/** Subscribes, and goes on trying while the connection breaks; once it stands, reconnects restore it. */
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
