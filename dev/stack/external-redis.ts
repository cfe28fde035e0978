import { StackFailure } from './failure.js';

/** Asks the Redis of REDIS_URL for an answer: better one sentence now than six services that wait for it. */
export async function externalRedis(url: string): Promise<string> {
  // Loaded only here: the embedded one needs no client.
  const { createClient } = await import('redis');
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
