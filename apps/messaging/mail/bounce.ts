/** What a report of a failed delivery says. */
export interface Bounce {
  mailId: string;
  /** It will not be delivered; otherwise it is only late. */
  failed: boolean;
  /** What the other server said. */
  answer: string;
}

/** Of the address that the report was sent to: `bounces+<the mail's id without dashes>@…`. */
const returnAddress = /\+([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})@/i;

/**
 * Reads a delivery status notification (RFC 3464). Whoever writes one chooses its words, so nothing in it counts but the address it was
 * sent to, which only the two mail servers know, and its fields of the standard. Undefined for what is no such report.
 */
export function readBounce(report: string): Bounce | undefined {
  const text = report.replace(/\r\n/g, '\n');
  const headers = text.slice(0, text.indexOf('\n\n') + 1 || undefined);
  const to = [...headers.matchAll(/^(?:delivered-to|x-original-to|to):(.*(?:\n[ \t].*)*)/gim)].map(
    ([, value]) => value!,
  );
  const id = to.map((value) => returnAddress.exec(value)).find((found) => found !== null);
  const action = /^action:[ \t]*(\w+)/im.exec(text)?.[1]?.toLowerCase();
  const status = /^status:[ \t]*([245])\.\d{1,3}\.\d{1,3}/im.exec(text)?.[1];
  if (!id || (action === undefined && status === undefined)) return undefined;
  const diagnostic = /^diagnostic-code:[ \t]*(.*(?:\n[ \t].*)*)/im.exec(text)?.[1] ?? 'It came back.';
  return {
    mailId: id.slice(1).join('-').toLowerCase(),
    failed: action === 'failed' && status !== '4' && status !== '2',

    answer: diagnostic
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
      .trim()
      .slice(0, 500),
  };
}
