/** What a mail server said when it would not take a mail for good. */
export interface Refusal {
  /** `550`; undefined where only a report tells of it. */
  code?: number;
  /** `5.1.1` (RFC 3463). */
  status?: string;
}

/** Of these the address itself is the cause: there is no such mailbox or host, or it was closed. */
const deadAddress = /^5\.(1\.(?![78]$)\d{1,3}|2\.1|4\.4|4\.310)$/;
/** Says only that it failed. */
const unspecific = '5.0.0';
/** Mailbox not there, not local, name not allowed (RFC 5321, section 4.2.3). */
const deadAddressCodes = [550, 551, 553];

/**
 * Whether the address is dead, so that no mail should go there again. A full mailbox (5.2.2), a mail that is too large or looked like spam
 * (5.3, 5.6, 5.7) and a sender who is not welcome (5.1.7, 5.1.8) say nothing of the address: or one listing of our server in a
 * block list would empty the list of subscribers.
 */
export function isDeadAddress({ code, status }: Refusal): boolean {
  if (status !== undefined && status !== unspecific) return deadAddress.test(status);
  return code === undefined ? status === unspecific : deadAddressCodes.includes(code);
}

/** Code and status at the beginning of an answer: `550 5.1.1 No such user here`. */
export function refusalIn(answer: string): Refusal {
  const [, code, status] =
    /^\s*(?:smtp;\s*)?([245]\d\d)(?:[ -]+([245]\.\d{1,3}\.\d{1,3})\b)?/i.exec(answer) ?? [];
  return { ...(code && { code: Number(code) }), ...(status && { status }) };
}
