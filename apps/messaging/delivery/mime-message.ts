import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Brand, Letter } from './letters/letter.js';
import { renderHtml } from './letters/render-html.js';
import { renderText } from './letters/render-text.js';
import type { MailSettings, Mailbox } from './mail-settings.js';

export interface Envelope {
  messageId: string;
  date: Date;
  to: string;
  replyTo?: Mailbox;
}

/** What a header must not hold: it would end a line, or steer a terminal. */

const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** As much as a line may hold (RFC 5322, section 2.1.1), also where there is no blank to fold at. */
const longest = 300;
const oneLine = (value: string) => value.replace(controls, ' ').trim().slice(0, longest).toWellFormed();
const tidy = ({ name, address }: Mailbox) => ({ name: oneLine(name), address: oneLine(address) });

/** The whole message as it goes over the wire: both parts, signed if there is a key. */
export async function compose(
  letter: Letter,
  brand: Brand,
  { messageId, date, to, replyTo }: Envelope,
  settings: Pick<MailSettings, 'from' | 'replyTo' | 'dkim'>,
): Promise<Buffer> {
  const from = settings.from!;
  const answersTo = replyTo ?? settings.replyTo;
  const message = await new MailComposer({
    from: tidy({ ...from, name: from.name || brand.name }),
    to: { name: '', address: to },
    ...(answersTo && { replyTo: tidy(answersTo) }),
    subject: oneLine(letter.subject),
    messageId,
    date,
    text: renderText(letter, brand),
    html: renderHtml(letter, brand),
    headers: {
      ...(letter.unsubscribeUrl === undefined
        ? // RFC 3834: vacation answers are not wanted.
          { 'Auto-Submitted': 'auto-generated' }
        : {
            'List-Unsubscribe': { prepared: true, value: `<${letter.unsubscribeUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            'List-Id': { prepared: true, value: `<newsletter.${new URL(brand.siteUrl).hostname}>` },
            Precedence: 'bulk',
          }),
    },
    // What people wrote is text: it never names a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return settings.dkim ? sign(message, settings.dkim) : message;
}

/** RFC 8058 wants the headers of unsubscribing signed too. */
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
