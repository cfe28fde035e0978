/** Runs and counts one named check. Resolves to whether it passed. A note from `work` is printed. */
export type Check = (name: string, work: () => Promise<string | void>) => Promise<boolean>;

export function expectEqual<T>(actual: T, expected: T): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${found} instead of ${wanted}`);
}

export async function expectRefusal(work: Promise<unknown>, reason: RegExp): Promise<void> {
  const outcome = await work.then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (outcome === undefined) throw new Error('It was not refused, but succeeded.');
  if (!reason.test(outcome)) throw new Error(`Refused for another reason: ${outcome}`);
}
