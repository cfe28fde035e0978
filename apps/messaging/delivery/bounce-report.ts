import { isDeadAddress, refusalIn } from './hard-bounce.js';

/** What a report of a failed delivery says. */
export interface Bounce {
  mailId: string;
  /** It will not be delivered; otherwise it is only late. */
  failed: boolean;
  /** Because of the address: no mail should go there again. */
  isDead: boolean;
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
  const [, status, kind] = /^status:[ \t]*(([245])\.\d{1,3}\.\d{1,3})/im.exec(text) ?? [];
  if (!id || (action === undefined && status === undefined)) return undefined;
  const diagnostic = /^diagnostic-code:[ \t]*(.*(?:\n[ \t].*)*)/im.exec(text)?.[1] ?? 'The e-mail bounced.';
  return {
    mailId: id.slice(1).join('-').toLowerCase(),
    failed: action === 'failed' && kind !== '4' && kind !== '2',
    isDead: isDeadAddress({ ...refusalIn(diagnostic), ...(status && { status }) }),
    answer: diagnostic
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
      .trim()
      .slice(0, 500),
  };
}
