import { createHmac, randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { ParsedMail, Reply } from './model.js';

/** The site to which replies and raw messages are sent, at `POST /inbound-mail`. */
export interface ReplySite {
  siteUrl: string;
  /** `INBOUND_MAIL_SECRET` of the site. */
  secret: string;
}

const deadlineMs = 30_000;

/** Sends a raw message to the site. Resolves with the status of the site’s answer. */
export async function handOver(raw: Buffer, { siteUrl, secret }: ReplySite): Promise<number> {
  const moment = String(Math.floor(Date.now() / 1_000));
  const mac = createHmac('sha256', secret).update(`${moment}.`).update(raw).digest('hex');
  const response = await fetch(new URL('/inbound-mail', siteUrl), {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'mail-signature': `t=${moment},v1=${mac}` },
    body: new Uint8Array(raw),
    signal: AbortSignal.timeout(deadlineMs),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Undefined if the caught mail has no address for replies. */
export async function composeReply(
  mail: ParsedMail,
  { text, from = mail.to, messageId = `<${randomUUID()}@mail-catcher.invalid>`, attachments = [] }: Reply,
): Promise<Buffer | undefined> {
  const replyTo = headerOf(mail, 'reply-to');
  if (replyTo === undefined) return undefined;
  const quotation = mail.text.split('\n').map((line) => `> ${line}`);
  const sentence = `On ${mail.receivedAt.slice(0, 10)}, ${headerOf(mail, 'from') ?? ''} wrote:`;
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const composed = await composer.sendMail({
    ...{ from, to: replyTo, messageId, inReplyTo: mail.messageId },
    subject: `Re: ${mail.subject}`,
    text: [text, '', sentence, '', ...quotation].join('\n'),
    attachments: attachments.map(({ name, content }) => ({
      filename: name,
      content: Buffer.from(content, 'base64'),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composed.message as Buffer;
}

function headerOf({ headers }: ParsedMail, name: string): string | undefined {
  return headers.find((header) => header.name === name)?.value;
}
