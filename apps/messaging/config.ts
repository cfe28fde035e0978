import { createPrivateKey } from 'node:crypto';
import addressparser from 'nodemailer/lib/addressparser';
import { z } from 'zod';
import { loadConfig, serviceSettings, setting } from '#libs/platform';

const hourMs = 3_600_000;

/** One mailbox: `hello@example.com` or `Northrank <hello@example.com>`. */
const mailbox = () =>
  setting.text().transform((text, context) => {
    const [found, ...others] = addressparser(text);
    const { name = '', address } = found ?? {};
    const isOne = address !== undefined && /^[^@\s<>]+@[^@\s<>]+$/.test(address) && others.length === 0;

    if (isOne && !/[\u0000-\u001f\u007f]/.test(text)) return { name, address };
    context.addIssue({ code: 'custom', message: 'must be one mailbox, like Name <name@example.com>' });
    return z.NEVER;
  });

/** In PEM. A file of settings has it on one line, with `\n` where lines end. The library that signs mails signs correctly only with RSA. */
const privateKey = () =>
  setting.text().transform((text, context) => {
    const pem = text.replaceAll('\\n', '\n');
    if (isRsaKey(pem)) return pem;
    context.addIssue({ code: 'custom', message: 'must be a private RSA key in PEM' });
    return z.NEVER;
  });

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

const domain = () =>
  setting.text().regex(/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i, {
    error: 'must be letters, digits and hyphens, with dots in between, like example.com',
  });

const mailSettingSchemas = {
  PUBLIC_URL: setting.httpUrl(),
  /** Without it, no mail is sent: mails wait in the queue. */
  SMTP_URL: setting.url(['smtp', 'smtps']).optional(),
  MAIL_FROM: mailbox().optional(),
  MAIL_REPLY_TO: mailbox().optional(),
  /** Where reports of failed deliveries go. The mail's id is added: bounces+<id>@example.com. */
  MAIL_RETURN_PATH: mailbox().optional(),
  /** The bearer token of the program that forwards reports of failed deliveries. */
  MAIL_BOUNCE_TOKEN: setting
    .text()
    .min(16, 'must have at least 16 characters')
    .max(500, 'must have at most 500 characters')
    .optional(),
  /** The key with which a mail provider signs its events about bounces and complaints. */
  MAIL_EVENTS_SECRET: setting
    .text()
    .min(32, 'must have at least 32 characters')
    .max(500, 'must have at most 500 characters')
    .optional(),
  DKIM_DOMAIN: domain().optional(),
  DKIM_SELECTOR: domain().optional(),
  DKIM_PRIVATE_KEY: privateKey().optional(),
  MAIL_CONCURRENCY: setting.integer(1, 50).default(4),
  /** For all processes together. Mails that belong to no campaign are not limited. */
  MAIL_CAMPAIGN_PER_MINUTE: setting.integer(1, 60_000).default(600),
  MAIL_TIMEOUT_MS: setting.integer(100, 600_000).default(30_000),
  /** The first pause before a mail is tried again. It doubles with each attempt, up to `MAIL_RETRY_LONGEST_MS`. */
  MAIL_RETRY_MS: setting.integer(10, hourMs).default(10_000),
  MAIL_RETRY_LONGEST_MS: setting.integer(10, 24 * hourMs).default(hourMs),
  /** Hours until a mail is given up, from its first attempt or from the last resumption of its campaign, whichever was later. */
  MAIL_GIVE_UP_HOURS: setting.integer(1, 240).default(48),
  MAIL_KEEP_DAYS: setting.integer(1, 3_650).default(90),
};

export const messagingSettings = z
  .object({ ...serviceSettings, ...mailSettingSchemas })
  .superRefine(({ SMTP_URL, MAIL_FROM, DKIM_DOMAIN, DKIM_SELECTOR, DKIM_PRIVATE_KEY }, context) => {
    const reportMissing = (name: string, why: string) =>
      context.addIssue({ code: 'custom', path: [name], message: `is missing: ${why}` });
    if (SMTP_URL !== undefined && MAIL_FROM === undefined) reportMissing('MAIL_FROM', 'SMTP_URL is set');
    const dkim = { DKIM_DOMAIN, DKIM_SELECTOR, DKIM_PRIVATE_KEY };
    if (Object.values(dkim).every((value) => value === undefined)) return;
    for (const [name, value] of Object.entries(dkim)) {
      if (value === undefined) reportMissing(name, 'DKIM needs domain, selector and key');
    }
  });

export type MessagingConfig = z.output<typeof messagingSettings>;

export const readMessagingConfig = (): MessagingConfig => loadConfig(messagingSettings, process.env);

export const MAIL_SETTINGS = Symbol('mail settings');

export interface Mailbox {
  /** Empty for none. */
  name: string;
  address: string;
}

export function mailSettingsOf(config: MessagingConfig) {
  const { DKIM_DOMAIN, DKIM_SELECTOR, DKIM_PRIVATE_KEY } = config;
  return {
    publicUrl: config.PUBLIC_URL,
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
    replyTo: config.MAIL_REPLY_TO,
    returnPath: config.MAIL_RETURN_PATH?.address,
    bounceToken: config.MAIL_BOUNCE_TOKEN,
    eventsSecret: config.MAIL_EVENTS_SECRET,
    dkim:
      DKIM_DOMAIN && DKIM_SELECTOR && DKIM_PRIVATE_KEY
        ? { domainName: DKIM_DOMAIN, keySelector: DKIM_SELECTOR, privateKey: DKIM_PRIVATE_KEY }
        : undefined,
    concurrency: config.MAIL_CONCURRENCY,
    campaignPerMinute: config.MAIL_CAMPAIGN_PER_MINUTE,
    timeoutMs: config.MAIL_TIMEOUT_MS,
    /** After this, another process takes over the mails of a killed one. */
    leaseMs: 8_000,
    pollMs: 1_000,
    firstRetryMs: config.MAIL_RETRY_MS,
    longestRetryMs: config.MAIL_RETRY_LONGEST_MS,
    giveUpAfterMs: config.MAIL_GIVE_UP_HOURS * hourMs,
    keepMs: config.MAIL_KEEP_DAYS * 24 * hourMs,
  };
}

export type MailSettings = ReturnType<typeof mailSettingsOf>;
