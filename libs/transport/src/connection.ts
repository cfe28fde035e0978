import { createClient } from 'redis';
import { errorFields, type TransportLogger } from './observer.js';

export type Connection = ReturnType<typeof createConnection>;

/**
 * A connection that comes back by itself and never queues while it is away: whoever uses it learns at once that
 * Redis is gone and decides what that means for its caller.
 */
export function createConnection(url: string, name: string, log: TransportLogger) {
  const client = createClient({
    url,
    name,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Deadlines are kept here, per request; node-redis would make an AbortSignal for each command.
    commandOptions: { timeout: undefined },
    // A connection whose other side vanished without a word is noticed within ten seconds.
    pingInterval: 3000,
    socket: {
      connectTimeout: 2000,
      socketTimeout: 10_000,
      reconnectStrategy: (attempt) => Math.min(25 * 2 ** attempt, 500) + Math.random() * 50,
    },
  });
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

/** Closes whatever state the connection is in. */
export async function closeConnection(connection: Connection): Promise<void> {
  if (!connection.isOpen) return;
  if (connection.isReady) await connection.close().catch(() => undefined);
  if (connection.isOpen) connection.destroy();
}

/** The server's answer was an error (as opposed to: there was no answer). */
export function isReplyError(error: unknown, prefix: string): boolean {
  return error instanceof Error && error.message.startsWith(prefix);
}
