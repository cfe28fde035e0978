/** How old a signature may be, either way: nobody who sees one can use it later. */
const toleranceSeconds = 300;

const pattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * What the header `Mail-Signature` holds, `t=<Unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>", in hex>`; undefined for what cannot be good whatever the
 * secret: another form, or a moment too far from now.
 *
 * @param now milliseconds
 */
export function readMailSignature(header: string, now: number): { moment: string; mac: string } | undefined {
  const [, moment, mac] = pattern.exec(header) ?? [];
  if (moment === undefined || mac === undefined) return undefined;
  return Math.abs(now / 1_000 - Number(moment)) > toleranceSeconds ? undefined : { moment, mac };
}
