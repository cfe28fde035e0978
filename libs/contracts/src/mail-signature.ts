/** Limits how long a request can be replayed. */
const toleranceSeconds = 300;

const pattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * The header is `t=<Unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>", in hex>`. Undefined if it is malformed, or its time is too far from `now`
 * (milliseconds). Does not verify the MAC.
 */
export function parseMailSignature(
  header: string,
  now: number,
): { timestamp: string; mac: string } | undefined {
  const [, timestamp, mac] = pattern.exec(header) ?? [];
  if (timestamp === undefined || mac === undefined) return undefined;
  return Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds ? undefined : { timestamp, mac };
}
