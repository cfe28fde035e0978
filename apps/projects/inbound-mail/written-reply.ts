import EmailReplyParser from 'email-reply-parser';
import { replyLine } from '#libs/contracts';

export interface WrittenReply {
  /** What the person wrote. */
  text: string;
  /** Shown collapsed below `text`: quoted text and signature, or the whole mail if `text` is empty or not its beginning. */
  folded: string;
}

/** Longer texts are cut, because the parser takes quadratic time for some of them. */
const maxText = 40_000;
const maxLines = 5_000;

export function splitReply(mailText: string): WrittenReply {
  const whole = tidy(mailText);
  const text = replyAbove(whole) || replyBetween(whole);
  if (text === whole) return { text, folded: '' };
  const isBeginning = text !== '' && whole.startsWith(text);
  return { text, folded: isBeginning ? whole.slice(text.length).trim() : whole };
}

/** What was written above `replyLine`, the first line of our mails that can be replied to. In a mail without that line: what is not quoted. */
function replyAbove(whole: string): string {
  const lines = whole.split('\n');
  const at = lines.findIndex((line) => line.includes(replyLine));
  if (at < 0) return withoutQuotationAndSignature(whole);
  const above = withoutQuotation(lines.slice(0, at)).join('\n');
  return withoutQuotationAndSignature(above);
}

/** All that the person wrote: above the quotation, between its lines and below it. Empty if the mail does not quote `replyLine`. */
function replyBetween(whole: string): string {
  const lines = whole.split('\n');
  const at = lines.findIndex((line) => line.includes(replyLine));
  if (at < 0 || !isQuoted(lines[at]!)) return '';
  const aboveCount = withoutQuotation(lines.slice(0, at)).length;
  const own = lines.filter((line, index) => (index < aboveCount || index > at) && !isQuoted(line));
  return withoutQuotationAndSignature(tidy(own.join('\n')));
}

/** Whether the mail contains `replyLine`, not as a quoted line: then an answer between or below the original lines cannot be told apart from them. */
export const hasUnquotedOriginal = (mailText: string): boolean =>
  mailText.split('\n').some((line) => line.includes(replyLine) && !isQuoted(line));

/** Keeps a text that is nothing but a signature: ‘Cheers’ can be an answer. */
function withoutQuotationAndSignature(text: string): string {
  if (text.trim() === '') return '';
  const visible = withoutDeviceSignature(tidy(new EmailReplyParser().parseReply(text)));
  if (visible !== '') return visible;
  const own = text.split('\n').filter((line) => !isQuoted(line));
  return tidy(withoutQuotation(own).join('\n'));
}

/** Signatures of phones in languages that the parser does not know. */
const deviceSignature =
  /^(.{1,30}から送信(されました)?|发自我的.{1,30}|Отправлено (с|из) .{1,40}|Gesendet (mit|von) .{1,40}|Von meinem .{1,40} gesendet|Inviato da .{1,40}|Enviado (do|a partir do) .{1,40})$/i;

function withoutDeviceSignature(text: string): string {
  const lines = text.split('\n');
  while (lines.length > 0 && (deviceSignature.test(lines.at(-1)!.trim()) || lines.at(-1) === '')) lines.pop();
  return lines.join('\n');
}

const isQuoted = (line: string) => /^\s*>/.test(line);
/** An empty line, a row of `_`, `-`, `=`, `*`, `|` or `>`, or words between hyphens such as ‘-----Original Message-----’. */
const isSeparator = (line: string) => /^[\s>|*_=-]*$/.test(line) || /^\s*-{3,}[^-]{1,60}-{3,}$/.test(line);
/** A line of the block ‘From: … Sent: … To: … Subject: …’, in any language. */
const isHeaderField = (line: string) =>
  /^[\s>*]*[\p{L}][\p{L}\p{M}\p{Zs}'’.-]{0,30}\s?[:：]\*?(\s|$)/u.test(line);
const maxHeaderLines = 12;

/**
 * Removes all quoted lines. Also removes, from the end, separators and what mail programs put above quoted text: a sentence such as ‘On Monday, Ada
 * wrote:’, or the fields of the mail.
 */
function withoutQuotation(lines: readonly string[]): string[] {
  const above = lines.filter((line) => !isQuoted(line));
  const trim = () => {
    while (above.length > 0 && isSeparator(above.at(-1)!)) above.pop();
  };
  trim();
  let start = above.length;
  while (start > 0 && above.length - start < maxHeaderLines && !isSeparator(above[start - 1]!)) start -= 1;
  const paragraph = above.slice(start);
  const fields = countFieldsAtEnd(paragraph);
  if (fields > 0) above.length -= fields;
  else above.length -= countSentenceLinesAtEnd(paragraph);
  trim();
  return above;
}

/** Counts the lines of fields. Zero unless there are at least three, one of them with an address or a time. */
function countFieldsAtEnd(paragraph: readonly string[]): number {
  const first = paragraph.findIndex(
    (line, at) => isHeaderField(line) && paragraph.slice(at).filter(isHeaderField).length >= 3,
  );
  if (first < 0) return 0;
  const fields = paragraph.slice(first);
  return fields.some((line) => /@|\d{1,2}[:.]\d{2}/.test(line)) ? fields.length : 0;
}

/** A day and a year in any order, or a date such as ‘23.11.26’. */
function hasDate(line: string): boolean {
  const withoutTimes = line.replace(
    /(?<![\d./-])\d{1,2}[:.]\d{2}(:\d{2})?(?![\d./-])|(GMT|UTC)[+-]\d{1,2}/g,
    '',
  );
  const hasYear = /(?<!\d)(19|20)\d{2}(?!\d)/.test(withoutTimes);
  const hasDay = /(?<!\d)\d{1,2}(?!\d)/.test(withoutTimes);
  return (hasYear && hasDay) || /(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)/.test(line);
}

/** Counts the lines of a sentence such as ‘On Monday, 23 November 2026 at 10:00, Ada <ada@example.com> wrote:’. */
function countSentenceLinesAtEnd(paragraph: readonly string[]): number {
  if (!/[:：]\s*$/.test(paragraph.at(-1) ?? '')) return 0;
  let countFromDate = 0;
  for (let count = 1; count <= Math.min(3, paragraph.length); count += 1) {
    const line = paragraph.at(-count)!;
    // This line ends another sentence. But a full stop after a digit may belong to a date, such as ‘23. November’.
    if (count > 1 && /[.?!:]\s*$/.test(line) && !/\d\.$/.test(line)) break;
    const words = line.split(' ').filter((word) => !word.includes('@'));
    const withoutAddresses = words.join(' ');
    if (/\d{4}|\d{1,2}[:.]\d{2}/.test(withoutAddresses)) countFromDate = count;
    // The sentence has one date, so the lines above belong to the reply.
    if (hasDate(withoutAddresses)) break;
  }
  // Without a date: ‘Ada <ada@example.com> wrote:’.
  return countFromDate || (/<[^<>\s@]+@[^<>\s@]+>/.test(paragraph.at(-1)!) ? 1 : 0);
}

/** The characters of windows-1252 from 0x80 to 0x9f. Node decodes these bytes as control characters, which no text contains. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

export const repairedWindows1252 = (text: string) =>
  text.replace(/[\u0080-\u009f]/g, (control) => windows1252[control.charCodeAt(0) - 0x80]!);

/** Removes zero-width spaces, trailing spaces, repeated empty lines and what Postgres cannot store. Line ends become `\n`. Cuts long texts. */
function tidy(text: string): string {
  const plain = repairedWindows1252(text.slice(0, maxText))
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u200b\u2060\ufeff]/g, '')
    .replaceAll('\u00a0', ' ');
  const lines = plain.split('\n', maxLines).map((line) => line.trimEnd());
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim();
}
