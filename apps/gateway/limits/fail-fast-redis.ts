import { createClient } from 'redis';

/**
 * A Redis client for calls whose result a request waits for: while Redis is unreachable, each call fails immediately, or after a second if the
 * outage is not noticed yet.
 */
export function failFastRedis(url: string, name: string) {
  const client = createClient({
    ...{ url, name },
    disableOfflineQueue: true,
    pingInterval: 3000,
    commandOptions: { timeout: 1000 },
    socket: {
      connectTimeout: 2000,
      // Without it, the connection through a network that drops packets would stay open for a quarter of an hour, and each call would time out.
      socketTimeout: 10_000,
      reconnectStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
    },
  });
  // The transport's connections to Redis log the outage already.
  client.on('error', () => undefined);
  return client;
}

export async function closeRedis(client: ReturnType<typeof failFastRedis>): Promise<void> {
  if (client.isReady) await client.close().catch(() => undefined);
  if (client.isOpen) client.destroy();
}
