export interface CaughtMail {
  id: string;
  /** The sender in the envelope, to which failure reports go. */
  from: string;
  /** The recipient in the envelope. A mail to several recipients is caught once for each. */
  to: string;
  receivedAt: string;
  subject: string;
  /** With angle brackets; empty if there is none. */
  messageId: string;
  /** In bytes. */
  size: number;
}

export interface ParsedMail extends CaughtMail {
  /** In the order of the message; names in lower case, values unfolded. */
  headers: { name: string; value: string }[];
  text: string;
  html: string;
  /** The whole message, with one character for each byte. */
  raw: string;
}

export interface MailMisbehaviour {
  /** Recipients that contain this text, whatever the case of its letters. Default: all. */
  to?: string;
  /** How many times the rule applies. Default: until `MailCatcher.behave` removes all rules. */
  times?: number;
  /**
   * Refuses the SMTP command `at` (MAIL FROM, RCPT TO or DATA) with this answer. `at: 'mail'` needs a rule without `to`, because the recipient is not
   * known yet.
   */
  refuse?: { code: number; text: string; at: 'mail' | 'rcpt' | 'data' };
  /** The delay before the answer to the message, in milliseconds. `MailCatcher.behave` ends it earlier. */
  delayMs?: number;
  /** Closes the connection after the whole message instead of answering. `kept` accepts the message anyway. */
  drop?: 'kept' | 'lost';
}

/** Selects the mails whose recipient and subject contain these texts, whatever the case of the letters. */
export interface MailFilter {
  to?: string;
  subject?: string;
}

export interface Reply {
  text: string;
  /** Default: the recipient of the caught mail. */
  from?: string;
  /** Default: a new one. */
  messageId?: string;
  /** `content` is in base64. */
  attachments?: { name: string; content: string }[];
}
