/** Nest's token for what mail needs of the configuration. */
export const MAIL_SETTINGS = Symbol('mail settings');

export interface Mailbox {
  /** As it stands beside the address; empty for none. */
  name: string;
  address: string;
}

export interface MailSettings {
  /** Without a slash at its end. */
  publicUrl: string;
  /** `smtp://user:password@host:port` or `smtps://…`; undefined: mail is off, and waits. */
  smtpUrl?: string;
  from?: Mailbox;
  replyTo?: Mailbox;
  returnPath?: string;
  /** Who hands on reports of failed deliveries has to know it; without it none are taken. */
  bounceToken?: string;
  /** A provider that tells what became of mails signs with it; without it none is listened to. */
  eventsSecret?: string;
  dkim?: { domainName: string; keySelector: string; privateKey: string };
  /** Connections to the mail server. */
  concurrency: number;
  /** Of newsletters, of all processes together. */
  campaignPerMinute: number;
  /** For one mail from MAIL FROM to the server's last word. */
  timeoutMs: number;
  /** What a process that was killed had in hand is another's after so long. */
  leaseMs: number;
  pollMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
  giveUpAfterMs: number;
  keepMs: number;
}
