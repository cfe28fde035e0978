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
