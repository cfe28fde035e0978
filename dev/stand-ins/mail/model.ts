/** A mail as the catcher got it. */
export interface CaughtMail {
  id: string;
  /** Of the envelope: where reports of failure go. */
  from: string;
  /** Of the envelope. */
  to: string;
  receivedAt: string;
  subject: string;
  /** With its angle brackets; empty without one. */
  messageId: string;
  size: number;
}

/** One opened: what a mail program shows, and what it hides. */
export interface OpenedMail extends CaughtMail {
  /** In their order; names in lower case, values unfolded. */
  headers: { name: string; value: string }[];
  text: string;
  html: string;
  raw: string;
}

/** What the server does to the mails that match. */
export interface MailMisbehaviour {
  /** Whose mails: text that the recipient's address contains. Everybody's without. */
  to?: string;
  /** How often; without, until it is forgotten. */
  times?: number;
  /** Refuses with this answer: 4xx is for now, 5xx for good. */
  refuse?: { code: number; text: string; at: 'mail' | 'rcpt' | 'data' };
  /** Milliseconds that it takes over the message. */
  delayMs?: number;
  /** Cuts the connection when it has the whole message, instead of answering. `kept`: it took it all the same. */
  drop?: 'kept' | 'lost';
}

export interface CaughtFilter {
  /** Text that the recipient's address contains. */
  to?: string;
  subject?: string;
}
