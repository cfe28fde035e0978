export class TimeoutError extends Error {}

/** Rejects with TimeoutError if `work` takes longer than `ms`. The work goes on, and its outcome is ignored. */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  message = `Not done within ${ms} ms`,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(message)), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/**
 * Runs `work` with a signal that aborts after `ms`, with the reason `late`, or when `cancelled` aborts, with its reason. Does not use
 * `AbortSignal.any`, because on Node 20, a timeout in it may be garbage-collected before it fires (https://github.com/nodejs/node/issues/57736).
 */
export async function abortAfter<T>(
  ms: number,
  late: Error,
  work: (signal: AbortSignal) => Promise<T>,
  cancelled?: AbortSignal,
): Promise<T> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(late), ms);
  const cancel = () => ending.abort(cancelled?.reason);
  cancelled?.addEventListener('abort', cancel, { once: true });
  if (cancelled?.aborted) cancel();
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    cancelled?.removeEventListener('abort', cancel);
  }
}
