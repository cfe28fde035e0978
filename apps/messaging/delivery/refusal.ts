export interface Refusal {
  /** Reply code such as 550; reports of failed deliveries may have none. */
  code?: number;
  /** Enhanced status code such as `5.1.1` (RFC 3463). */
  status?: string;
}

/** The mailbox or host does not exist, or was closed. 5.4.310 is Microsoft’s: the domain does not exist. */
const hardBounceStatus = /^5\.(1\.(?![78]$)\d{1,3}|2\.1|4\.4|4\.310)$/;
/** Says only that delivery failed. */
export const unspecificStatus = '5.0.0';
/** Mailbox unavailable, user not local, mailbox name not allowed (RFC 5321, section 4.2.3). */
const hardBounceCodes = [550, 551, 553];

/**
 * Whether the address no longer works, so that no newsletter should be sent there again. A full mailbox (5.2.2), a mail that is too large or looks
 * like spam (5.3, 5.6, 5.7) and a refused sender address (5.1.7, 5.1.8) do not count. If they did, a block list that names our server would empty
 * the list of subscribers. A report with nothing but 5.0.0 counts.
 */
export function isHardBounce({ code, status }: Refusal): boolean {
  if (status !== undefined && status !== unspecificStatus) return hardBounceStatus.test(status);
  return code === undefined ? status === unspecificStatus : hardBounceCodes.includes(code);
}

/** What was refused: the sender's address (MAIL FROM), the recipient's (RCPT TO), or the message (DATA). */
export type RefusedStep = 'sender' | 'recipient' | 'message';

/**
 * Whether a refusal in our own SMTP session is a hard bounce. If the message was refused, only a status about the address counts: many servers refuse
 * spam at that point with nothing but 550.
 */
export function isHardBounceAt(step: RefusedStep, refusal: Refusal): boolean {
  if (step === 'sender') return false;
  const { status } = refusal;
  if (step === 'message' && (status === undefined || status === unspecificStatus)) return false;
  return isHardBounce(refusal);
}

/**
 * Reads the codes of an answer: `550 5.1.1 No such user here`. Some servers write `550 #5.1.0 Address rejected` (Cisco) or `553 Not in my list of
 * allowed hosts (#5.7.1)` (qmail). In a report of a failed delivery, the answer begins with `smtp;`.
 */
export function parseRefusal(answer: string): Refusal {
  const [, code, status] =
    /^\s*(?:smtp;\s*)?([245]\d\d)(?:(?:[ -]+|.*#)([245]\.\d{1,3}\.\d{1,3})\b)?/i.exec(answer) ?? [];
  return { ...(code && { code: Number(code) }), ...(status && { status }) };
}
