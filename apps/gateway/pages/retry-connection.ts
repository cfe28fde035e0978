import { setTimeout as wait } from 'node:timers/promises';

/** A web process that died is usually replaced within this time. */
const replacedWithinMs = 3_000;
const pauseMs = 100;

/** Repeats a request while the connection to the web process fails. Rendering changes nothing, so this is safe. */
export async function retryConnection<T>(ask: () => Promise<T>): Promise<T> {
  for (const began = performance.now(); ; await wait(pauseMs)) {
    try {
      return await ask();
    } catch (error) {
      // `fetch` rejects with a TypeError when the connection fails, and with the reason of its signal at the deadline.
      const isNetworkError = (error as Error).name === 'TypeError';
      if (!isNetworkError || performance.now() - began > replacedWithinMs) throw error;
    }
  }
}
