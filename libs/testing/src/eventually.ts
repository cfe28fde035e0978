import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until `attempt` neither throws nor rejects, and gives its answer; what it threw last is thrown when the time is
 * over. It replaces sleeping in tests: put the expectation inside.
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
