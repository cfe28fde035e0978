import { convert } from 'html-to-text';
import PostalMime, { type Address, addressParser, type Attachment } from 'postal-mime';
import { toSingleLine } from '#libs/contracts';
import { repairedWindows1252, splitReply, type WrittenReply } from './written-reply.js';

export interface ReceivedMail extends WrittenReply {
  /** Empty if there is none. */
  messageId: string;
  /** The addresses that it was sent or delivered to, in lower case. */
  recipients: string[];
  /** In lower case; empty unless there is exactly one header `From` with exactly one address. */
  from: string;
  /** Written by a program, or sent by a mailing list: an out-of-office reply, a report about a delivery, a newsletter. */
  automatic: boolean;
  /** At most `maxAttachments`. */
  attachments: ReceivedAttachment[];
  /** How many more attachments the mail has. */
  moreAttachmentCount: number;
}

interface ReceivedAttachment {
  /** As the sender’s program named it: not safe for a path or a header. */
  name: string;
  content: Uint8Array<ArrayBuffer>;
  /**
   * For an attached mail, its decoded texts and attachments, and those of mails in it. They are searched for the token of a reply address, which an
   * encoding such as Base64 may hide in `content`.
   */
  decoded: Uint8Array<ArrayBuffer>[];
}

const maxHtml = 400_000;
const maxAddresses = 200;
const maxAttachments = 100;
const mailLimits = { maxNestingDepth: 50, maxHeadersSize: 256 * 1024 };
/** How many levels of mails attached to mails are decoded: each level may take as much time and memory as the whole received mail. */
const maxMailLevels = 3;
/** Smaller pictures in the text are taken for icons and logos of a signature. */
const minPictureBytes = 12_000;

/** The headers in which mail servers name the address that a mail was delivered to. */
const deliveryHeaders: ReadonlySet<string> = new Set([
  ...['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-forwarded-to', 'x-rcpt-to'],
]);

/** Reads a raw message (RFC 5322), as far as it can be read. Rejects if it is nested too deeply, or has headers that are too long. */
export async function readReceivedMail(raw: Uint8Array): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw, { ...mailLimits, rfc822Attachments: true });
  const headers = mail.headers.map(({ key, value }) => ({ key, value: value.trim() }));
  const delivered = headers
    .filter(({ key }) => deliveryHeaders.has(key))
    .flatMap(({ value }) => addressesIn(value.slice(0, 2_000)));
  const named = [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(mailboxes);
  // `mail.from` would be the first address only.
  const [from, ...moreFrom] = headers.filter(({ key }) => key === 'from');
  const senders = from && moreFrom.length === 0 ? addressParser(from.value).flatMap(mailboxes) : [];
  const isInOwnText = pictureTestOf(mail.html ?? '');
  const attached = mail.attachments.filter((one) => isAttachedByPerson(one, isInOwnText));
  const attachments: ReceivedAttachment[] = [];
  for (const [index, attachment] of attached.slice(0, maxAttachments).entries())
    attachments.push({
      name: repairedWindows1252(attachment.filename || fallbackNameOf(attachment, index)),
      content: bytesOf(attachment.content),
      decoded: await decodedPartsOf(attachment),
    });
  return {
    messageId: toSingleLine(mail.messageId ?? '', 1_000),
    recipients: [...new Set([...delivered, ...named])].slice(0, maxAddresses),
    from: senders.length === 1 ? senders[0]! : '',
    automatic: isAutomatic(headers, senders),
    ...splitReply(textOf(mail)),
    attachments,
    moreAttachmentCount: attached.length - attachments.length,
  };
}

function mailboxes(address: Address): string[] {
  const all = address.group ?? [address];
  return all.flatMap(({ address: found }) => (found ? [found.trim().toLowerCase()] : []));
}

function addressesIn(header: string): string[] {
  return header
    .toLowerCase()
    .split(/[\s<>,;"]+/)
    .filter((word) => /^[^@]+@[^@]+$/.test(word));
}

/** By the headers of RFC 3834, RFC 3464 and RFC 2919, by other headers that some mail servers set instead, and by the sender’s address. */
function isAutomatic(
  headers: readonly { key: string; value: string }[],
  [sender = '']: readonly string[],
): boolean {
  const valueOf = (name: string) => headers.find(({ key }) => key === name)?.value.toLowerCase();
  const submitted = valueOf('auto-submitted');
  if (submitted !== undefined && !/^no\b/.test(submitted)) return true;
  if (valueOf('return-path') === '<>') return true;
  if (/^(bulk|junk|list|auto[_-]?reply)\b/.test(valueOf('precedence') ?? '')) return true;
  if (/^multipart\/report\b/.test(valueOf('content-type') ?? '')) return true;
  const marks = [
    'x-autoreply',
    'x-autorespond',
    'x-autoresponder',
    'x-auto-reply-from',
    'x-failed-recipients',
  ];
  if (marks.some((name) => valueOf(name) !== undefined)) return true;
  if (valueOf('list-id') !== undefined) return true;
  return /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/.test(sender);
}

/** The plain text; without one, the text of the HTML, with `>` before quoted lines. */
function textOf({ text, html }: { text?: string | undefined; html?: string | undefined }): string {
  if (text?.trim()) return text;
  if (!html) return '';
  const skipped = ['img', '[style*="display:none"]', '[style*="display: none"]'];
  return convert(html.slice(0, maxHtml), {
    wordwrap: false,
    limits: { maxInputLength: maxHtml, maxDepth: 100, maxChildNodes: 5_000 },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      { selector: 'table', format: 'block' },
      ...['h1', 'h2', 'h3'].map((selector) => ({ selector, options: { uppercase: false } })),
      ...skipped.map((selector) => ({ selector, format: 'skip' })),
    ],
  });
}

/** Where a quotation or signature begins in the HTML of common mail programs. */
const quoteOrSignature =
  /<blockquote|gmail_quote|gmail_signature|divRplyFwdMsg|appendonsend|ms-outlook-mobile-signature|id="?Signature|yahoo_quoted|moz-cite-prefix|moz-signature|AppleMailSignature/i;

const aboveMark = (html: string) => html.slice(0, quoteOrSignature.exec(html)?.index);

/** What follows a quotation in the form of a block, up to a signature. */
function belowQuotation(html: string): string {
  const [mark = ''] = quoteOrSignature.exec(html) ?? [];
  const [, below = ''] = /^<blockquote|gmail_quote|moz-cite-prefix/i.test(mark)
    ? (/^[^]*<\/blockquote\s*>([^]*)$/i.exec(html) ?? [])
    : [];
  return aboveMark(below);
}

/** The returned function tells whether a Content-ID is that of a picture in what the person wrote, such as a pasted screenshot. */
function pictureTestOf(html: string): (contentId: string) => boolean {
  const written = aboveMark(html) + belowQuotation(html);
  return (contentId) => written.includes(`cid:${contentId.replace(/^<|>$/g, '')}`);
}

/** A picture that the HTML shows counts as attached by the person only if it is large and in the text that they wrote. */
function isAttachedByPerson(
  { disposition, related, contentId, content }: Attachment,
  isInOwnText: (contentId: string) => boolean,
): boolean {
  const { length } = bytesOf(content);
  if (!related || disposition === 'attachment') return length > 0;
  return contentId !== undefined && length >= minPictureBytes && isInOwnText(contentId);
}

function fallbackNameOf({ mimeType }: Attachment, index: number): string {
  return mimeType === 'message/rfc822' ? `message-${index + 1}.eml` : `attachment-${index + 1}`;
}

function bytesOf(content: Attachment['content']): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new Uint8Array(new TextEncoder().encode(content));
  return new Uint8Array(content);
}

/** Empty for an attachment that is not a mail, cannot be read, or is below the last level that is decoded. */
async function decodedPartsOf(
  { mimeType, filename, content }: Attachment,
  levelsLeft = maxMailLevels,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const isMail = mimeType === 'message/rfc822' || /\.eml$/i.test(filename ?? '');
  if (!isMail || levelsLeft === 0) return [];
  const mail = await PostalMime.parse(content, { ...mailLimits, forceRfc822Attachments: true }).catch(
    () => null,
  );
  if (!mail) return [];
  const decoded = [mail.text ?? '', mail.html ?? ''].map(bytesOf);
  for (const attachment of mail.attachments)
    decoded.push(bytesOf(attachment.content), ...(await decodedPartsOf(attachment, levelsLeft - 1)));
  return decoded;
}

/** The tokens of the addresses `<local part>+<token>@<domain>` that belong to our reply address. */
export function replyTokensOf(recipients: readonly string[], replyAddress: string): string[] {
  const [name, domain] = replyAddress.toLowerCase().split('@');
  const beginning = `${name}+`;
  return recipients.flatMap((recipient) => {
    const [local = '', itsDomain] = recipient.split('@');
    return itsDomain === domain && local.startsWith(beginning) ? [local.slice(beginning.length)] : [];
  });
}
