/** A caught mail. */
export interface CaughtMail {
  id: string;
  /** The sender in the envelope, to which failure reports go. */
  from: string;
  /** The recipient in the envelope. A mail to several recipients is caught once for each. */
  to: string;
  receivedAt: string;
  subject: string;
  /** Including angle brackets; empty if the mail has no message id. */
  messageId: string;
  /** In bytes. */
  size: number;
}

/** A parsed mail, with its texts and headers. */
export interface ParsedMail extends CaughtMail {
  /** In the order of the message; names in lower case, values unfolded. */
  headers: { name: string; value: string }[];
  text: string;
  html: string;
  raw: string;
}

/** How the server misbehaves for matching mails. */
export interface MailMisbehaviour {
  /** Matches mails whose recipient contains this text. Default: all mails. */
  to?: string;
  /** How many times the rule applies. Default: until `MailCatcher.behave` removes it. */
  times?: number;
  /**
   * Refuses the SMTP command `at` (MAIL FROM, RCPT TO or DATA) with this answer; 4xx is temporary, 5xx permanent. `at: 'mail'` needs a rule without
   * `to`, because the recipient is not known yet.
   */
  refuse?: { code: number; text: string; at: 'mail' | 'rcpt' | 'data' };
  /** Delay before the answer to the message, in milliseconds. `MailCatcher.behave` ends it earlier. */
  delayMs?: number;
  /** Closes the connection after the whole message instead of answering. `kept` accepts the message anyway, `lost` does not. */
  drop?: 'kept' | 'lost';
}

/** Matches mails whose recipient and subject contain these texts. */
export interface MailFilter {
  to?: string;
  subject?: string;
}

/** What somebody answers to a caught mail. */
export interface Reply {
  text: string;
  /** The sender. Default: the recipient of the caught mail. */
  from?: string;
  /** Default: a new one. */
  messageId?: string;
  /** `content` is in base64. */
  attachments?: { name: string; content: string }[];
}
