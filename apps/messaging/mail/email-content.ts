/** What a mail says, before it has a form: rendered as plain text and as HTML from the same parts. */
export interface Letter {
  /** One line. */
  subject: string;
  /** What a list of mails shows after the subject; one line. */
  preheader: string;
  heading: string;
  parts: readonly Part[];
  /** Why the person gets this mail, at its end. */
  reason: string;
  /** Of a newsletter: where one leaves it. */
  unsubscribeUrl?: string;
}

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'list'; items: readonly (readonly Run[])[]; ordered: boolean }
  | { kind: 'rich'; runs: readonly Run[] }
  /** `url` is absolute. `alt` is what stands there without it. */
  | { kind: 'image'; url: string; alt: string }
  /** The one thing to do. */
  | { kind: 'button'; text: string; url: string }
  | { kind: 'facts'; rows: readonly (readonly [name: string, value: string])[] }
  /** What somebody else wrote, as they wrote it. */
  | { kind: 'quote'; text: string };

/** A stretch of text of one kind. */
export interface Run {
  text: string;
  strong?: boolean;
  emphasis?: boolean;
  url?: string;
}

/** Whose mail it is: from the site's content. */
export interface Brand {
  name: string;
  /** An absolute http(s) address. */
  logoUrl?: string;
  siteUrl: string;
  /** As the footer has it. */
  address?: string;
  /** What an admin wrote in place of the built-in words, by notice. */
  words?: ReadonlyMap<string, { subject?: string; text?: string }>;
}

export const text = (value: string): Part => ({ kind: 'text', text: value });
export const button = (label: string, url: string): Part => ({ kind: 'button', text: label, url });
export const facts = (...rows: [string, string][]): Part => ({ kind: 'facts', rows });
