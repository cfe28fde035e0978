import { setTimeout as wait } from 'node:timers/promises';

/** Only a failing test waits this long. It is far beyond what anything takes on a machine that is busy with other tests. */
export const patienceMs = 60_000;

export interface EventuallyOptions {
  /**
   * The time that the product promises on an idle machine. Attempts go on for this time or, on a busy machine, until there have been as many as an
   * idle machine makes in it. Each attempt should ask the site for something, so that attempts on a busy machine take longer, as the site does.
   */
  promisedMs?: number;
  /** Default: a minute. */
  timeoutMs?: number;
  /** The pause between two attempts. Default: 25 ms, which grows to 250 ms unless there is `promisedMs`. */
  intervalMs?: number;
}

/** The pauses grow, so that a waiting test slows down neither what it waits for nor the tests beside it. */
const firstPauseMs = 25;
const longestPauseMs = 250;
const pauseGrowth = 1.4;

/**
 * Repeats `attempt` until it neither throws nor rejects, and resolves to its result. When the time is over, it rejects with
 * the last error. Use it instead of sleeping in tests, with the expectation inside.
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
