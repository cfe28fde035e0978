import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import { toSingleLine } from '#libs/contracts';
import type { Mailbox, MailSettings } from '../config.js';
import type { EmailContent } from '../mail/email-content.js';
import { renderHtml } from '../mail/render-html.js';
import { renderText } from '../mail/render-text.js';
import type { Brand } from '../site/brand.js';

export interface Attachment {
  filename: string;
  content: Buffer;
  contentType: string;
}

export interface MessageDetails {
  messageId: string;
  date: Date;
  to: string;
  replyTo?: Mailbox;
  attachments?: readonly Attachment[];
}

/** A value of this length fits into one line (RFC 5322, section 2.1.1), even if it has no space where it could be folded. */
const longestHeader = 300;
const headerText = (value: string) => toSingleLine(value, longestHeader);
const cleanMailbox = ({ name, address }: Mailbox) => ({
  name: headerText(name),
  address: headerText(address),
});

export async function composeMessage(
  content: EmailContent,
  brand: Brand,
  { messageId, date, to, replyTo, attachments = [] }: MessageDetails,
  settings: Partial<Pick<MailSettings, 'from' | 'replyTo' | 'dkim'>>,
): Promise<Buffer> {
  // Mails are composed only if `SMTP_URL` is set, which requires `MAIL_FROM`.
  const from = settings.from!;
  const replyAddress = replyTo ?? settings.replyTo;
  const message = await new MailComposer({
    from: cleanMailbox({ ...from, name: from.name || brand.name }),
    to: { name: '', address: to },
    ...(replyAddress && { replyTo: cleanMailbox(replyAddress) }),
    subject: headerText(content.subject),
    messageId,
    date,
    text: renderText(content, brand),
    html: renderHtml(content, brand),
    attachments: [...attachments],
    headers: {
      ...(content.unsubscribeUrl === undefined
        ? // RFC 3834: suppresses automatic replies.
          { 'Auto-Submitted': 'auto-generated' }
        : {
            // `prepared` stops the composer from encoding or folding the value.
            'List-Unsubscribe': { prepared: true, value: `<${content.unsubscribeUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            'List-Id': { prepared: true, value: `<newsletter.${new URL(brand.siteUrl).hostname}>` },
            Precedence: 'bulk',
          }),
    },
    // Text that people wrote must not make the composer read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return settings.dkim ? sign(message, settings.dkim) : message;
}

/** RFC 8058 requires the signature to cover the headers for unsubscribing. */
async function sign(message: Buffer, key: NonNullable<MailSettings['dkim']>): Promise<Buffer> {
  const signer = new DKIM({
    ...key,
    headerFieldNames:
      'from:sender:reply-to:subject:date:message-id:to:cc:mime-version:content-type:content-transfer-encoding:list-id:list-unsubscribe:list-unsubscribe-post',
  });
  const chunks: Buffer[] = [];
  for await (const chunk of signer.sign(message)) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
