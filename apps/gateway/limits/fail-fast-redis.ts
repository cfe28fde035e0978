import { createClient } from 'redis';

const options = () => ({
  disableOfflineQueue: true,
  pingInterval: 3000,
  commandOptions: { timeout: 1000 },
  socket: {
    connectTimeout: 2000,
    // Without it, a network that drops packets would keep the connection open for a quarter of an hour, and each call would time out.
    socketTimeout: 10_000,
    reconnectStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000),
  },
});

/** Never connected, only duplicated: creating a client that is not a duplicate takes 30 ms (see `createConnection` of the transport). */
let pattern: ReturnType<typeof createPattern> | undefined;
const createPattern = () => createClient(options());

/** A Redis client for calls whose result a request waits for: while Redis is unreachable, each call fails at once, or after a second if the outage is not noticed yet. */
export function failFastRedis(url: string, name: string) {
  pattern ??= createPattern();
  const client = pattern.duplicate({ ...options(), url, name });
  // The transport's connections report the outage already.
  client.on('error', () => undefined);
  return client;
}

export async function closeRedis(client: ReturnType<typeof failFastRedis>): Promise<void> {
  if (client.isReady) await client.close().catch(() => undefined);
  if (client.isOpen) client.destroy();
}
