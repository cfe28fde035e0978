import { setTimeout as wait } from 'node:timers/promises';

/**
 * Repeats `attempt` until it neither throws nor rejects, and resolves to its result. When the time is over, it rejects with
 * the last error. Use it instead of sleeping in tests, with the expectation inside.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeoutMs = 10_000, intervalMs = 25 }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= end) throw error;
    }
    await wait(intervalMs);
  }
}
