/** How far the time of a signature may be from now, in either direction, which limits how long a request can be replayed. */
const toleranceSeconds = 300;

const pattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * Parses the header `Mail-Signature`, `t=<Unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>", in hex>`. Undefined if it is malformed or its time is
 * too far from now. Does not verify the MAC. `now` is in milliseconds.
 */
export function readMailSignature(header: string, now: number): { moment: string; mac: string } | undefined {
  const [, moment, mac] = pattern.exec(header) ?? [];
  if (moment === undefined || mac === undefined) return undefined;
  return Math.abs(now / 1_000 - Number(moment)) > toleranceSeconds ? undefined : { moment, mac };
}
