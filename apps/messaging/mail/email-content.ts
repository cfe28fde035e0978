export interface EmailContent {
  /** One line. */
  subject: string;
  /** The preview text that mail programs show after the subject; one line. */
  preheader: string;
  heading: string;
  blocks: readonly Block[];
  /** Why the recipient gets this e-mail. */
  footerReason: string;
  /** Newsletters have one. */
  unsubscribeUrl?: string;
  /** The first line of mails whose replies become messages of a project. In a reply, it marks where the quoted mail begins. */
  replyLine?: string;
}

export type Block =
  /** One or more paragraphs, with empty lines between them. */
  | { kind: 'text'; text: string }
  | { kind: 'heading'; runs: readonly TextRun[] }
  /** `start` is the first number of an ordered list that does not begin with 1. */
  | { kind: 'list'; items: readonly (readonly TextRun[])[]; ordered: boolean; start?: number }
  | { kind: 'richText'; runs: readonly TextRun[] }
  /** The URLs are absolute. */
  | { kind: 'image'; url: string; alt: string; linkUrl?: string }
  | { kind: 'button'; text: string; url: string }
  | { kind: 'details'; rows: readonly (readonly [name: string, value: string])[] }
  | { kind: 'quote'; runs: readonly TextRun[] };

export interface TextRun {
  text: string;
  strong?: boolean;
  emphasis?: boolean;
  url?: string;
}

/** Mail programs show about this many characters. */
const preheaderLength = 100;

export function preheaderFrom(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  if (line.length <= preheaderLength) return line;
  const cut = cutText(line, preheaderLength - 1);
  return `${cut.replace(/ \S*$/, '')}…`;
}

export const capitalized = (value: string) => value.charAt(0).toUpperCase() + value.slice(1);
export const text = (value: string): Block => ({ kind: 'text', text: value });
export const quote = (value: string): Block => ({ kind: 'quote', runs: [{ text: value }] });
export const button = (label: string, url: string): Block => ({ kind: 'button', text: label, url });
export const details = (...rows: [string, string][]): Block => ({ kind: 'details', rows });
import { cutText } from '#libs/runtime';
