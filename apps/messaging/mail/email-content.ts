/** The content of an e-mail. The plain-text part and the HTML part are both rendered from it. */
export interface EmailContent {
  /** One line. */
  subject: string;
  /** The preview text that mail programs show after the subject; one line. */
  preheader: string;
  heading: string;
  blocks: readonly Block[];
  /** Why the recipient gets this e-mail; shown in the footer. */
  reason: string;
  /** Newsletters have one. */
  unsubscribeUrl?: string;
  /** The first line of mails whose replies become messages of a project. In a reply, it marks where the quoted mail begins. */
  replyLine?: string;
}

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'list'; items: readonly (readonly TextRun[])[]; ordered: boolean }
  | { kind: 'richText'; runs: readonly TextRun[] }
  /** `url` is absolute. */
  | { kind: 'image'; url: string; alt: string }
  /** A link to something that the reader can do. */
  | { kind: 'button'; text: string; url: string }
  | { kind: 'details'; rows: readonly (readonly [name: string, value: string])[] }
  /** Quoted text, without formatting. */
  | { kind: 'quote'; text: string };

/** A stretch of text with the same formatting. */
export interface TextRun {
  text: string;
  strong?: boolean;
  emphasis?: boolean;
  url?: string;
}

/** About as many characters as mail programs show of a preheader. */
const preheaderLength = 100;

/** The beginning of a text, as a preheader. */
export function preheaderFrom(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  if (line.length <= preheaderLength) return line;
  const cut = line.slice(0, preheaderLength - 1).toWellFormed();
  return `${cut.replace(/ \S*$/, '')}…`;
}

export const text = (value: string): Block => ({ kind: 'text', text: value });
export const button = (label: string, url: string): Block => ({ kind: 'button', text: label, url });
export const details = (...rows: [string, string][]): Block => ({ kind: 'details', rows });
