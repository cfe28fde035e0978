import { toSingleLine } from '#libs/contracts';
import { isHardBounce, parseRefusal } from './refusal.js';

/** A report about the delivery of one of our mails. */
export interface DeliveryReport {
  mailId: string;
  /**
   * The server has given up, perhaps after trying for days (4.x.x). False for any other report: that the mail is delayed or was delivered.
   */
  failed: boolean;
  /** The address is the cause, so no newsletter should be sent there again. */
  isHard: boolean;
  /** What the recipient's mail server said, on one line; `The e-mail bounced.` if the report does not quote it. */
  answer: string;
}

/** Matches the address that the report was sent to: `bounces+<the mail's id without dashes>@…`. */
const returnAddress = /\+([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})@/i;

/**
 * Reads a delivery status notification (RFC 3464). Anybody can write one, so only two things in it count: its standard fields, and the address that
 * it was sent to, which contains the mail's id and so cannot be guessed by people who have not seen that mail's headers. Undefined for text that
 * is no such report.
 */
export function parseBounceReport(report: string): DeliveryReport | undefined {
  const text = report.replace(/\r\n/g, '\n');
  const headers = text.slice(0, text.indexOf('\n\n') + 1 || undefined);
  const recipients = [...headers.matchAll(/^(?:delivered-to|x-original-to|to):(.*(?:\n[ \t].*)*)/gim)].map(
    ([, value]) => value!,
  );
  const idParts = recipients
    .map((value) => returnAddress.exec(value)?.slice(1))
    .find((parts) => parts !== undefined);
  const action = /^action:[ \t]*(\w+)/im.exec(text)?.[1]?.toLowerCase();
  const [, status, statusClass] = /^status:[ \t]*(([245])\.\d{1,3}\.\d{1,3})/im.exec(text) ?? [];
  if (!idParts || (action === undefined && status === undefined)) return undefined;
  const diagnostic = /^diagnostic-code:[ \t]*(.*(?:\n[ \t].*)*)/im.exec(text)?.[1] ?? 'The e-mail bounced.';
  return {
    mailId: idParts.join('-').toLowerCase(),
    failed: action === 'failed' && statusClass !== '2',
    isHard: isHardBounce({ ...parseRefusal(diagnostic), ...(status && { status }) }),
    // On one line, however the report folded it.
    answer: toSingleLine(diagnostic.replace(/\s+/g, ' '), 500),
  };
}
