import { toSingleLine } from '#libs/contracts';
import { isHardBounce, parseRefusal, unspecificStatus } from './refusal.js';

export interface DeliveryReport {
  mailId: string;
  /** The server has given up: `Action` is `failed`. The status may be temporary (4.x.x), but not one of success (2.x.x). */
  failed: boolean;
  /** The address is the cause, so no newsletter should be sent there again. */
  isHard: boolean;
  /** What the recipient's mail server said, on one line; `The e-mail bounced.` if the report does not quote it. */
  answer: string;
}

/** The address that the report was sent to: `bounces+<the mail's id without dashes>@…`. */
const returnAddress = /\+([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})@/i;

/**
 * Reads a delivery status notification (RFC 3464) about one of our mails; undefined for any other text. Anybody can write one, so only its standard
 * fields and the address that it was sent to count. People who have not seen the mail's headers cannot guess that address, because it contains the
 * mail's id.
 */
export function parseDeliveryReport(report: string): DeliveryReport | undefined {
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
  const refusal = parseRefusal(diagnostic);
  // A status in the server's answer can be more exact than the report's.
  if (status !== undefined && (status !== unspecificStatus || refusal.status === undefined))
    refusal.status = status;
  return {
    mailId: idParts.join('-').toLowerCase(),
    failed: action === 'failed' && statusClass !== '2',
    isHard: isHardBounce(refusal),
    // The report may have folded the line.
    answer: toSingleLine(diagnostic.replace(/\s+/g, ' '), 500),
  };
}
