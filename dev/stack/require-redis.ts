import { createClient } from 'redis';
import { StackFailure } from './failure.js';

/** Returns `url` if Redis answers. Otherwise throws a StackFailure, so that no process starts and waits for Redis. */
export async function requireRedis(url: string): Promise<string> {
  const client = createClient({ url, socket: { connectTimeout: 5_000, reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    throw new StackFailure(`REDIS_URL: Redis at ${new URL(url).host} cannot be used: ${message || code}.`);
  } finally {
    if (client.isOpen) client.destroy();
  }
  return url;
}
