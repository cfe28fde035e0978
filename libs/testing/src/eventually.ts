import { setTimeout as wait } from 'node:timers/promises';

/** Far beyond what anything takes on a busy machine. Only a failing test waits this long. */
export const patienceMs = 60_000;

export interface EventuallyOptions {
  /**
   * What the product promises on an idle machine. `eventually` fails when this time is over and it has made as many attempts as an idle machine makes
   * in this time, so a busy machine gets more time. Each attempt should ask the site for something, so that it is slow when the site is.
   */
  promisedMs?: number;
  timeoutMs?: number;
  /** The pause between attempts. Default: 25 ms with `promisedMs`; otherwise, it grows from 25 ms to 250 ms. */
  intervalMs?: number;
}

/** Pauses grow, so that a waiting test does not slow down other work. */
const firstPauseMs = 25;
const longestPauseMs = 250;
const pauseGrowth = 1.4;

/**
 * Repeats `attempt` until it succeeds, and resolves to its result. When the time is over, rejects with the last error. Use it instead of sleeping,
 * with the expectation inside.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeoutMs = patienceMs, intervalMs, promisedMs = Infinity }: EventuallyOptions = {},
): Promise<T> {
  const began = Date.now();
  const grows = intervalMs === undefined && promisedMs === Infinity;
  let pauseMs = intervalMs ?? firstPauseMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const takenMs = Date.now() - began;
      const isLate = takenMs >= promisedMs && attempts * pauseMs >= promisedMs;
      if (isLate || takenMs >= timeoutMs) throw error;
    }
    await wait(pauseMs);
    if (grows) pauseMs = Math.min(pauseMs * pauseGrowth, longestPauseMs);
  }
}
