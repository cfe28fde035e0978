import { useState } from 'react';
import type { ProjectFile, ThreadMessage } from '#libs/contracts';
import { useAccount } from '../current-screen.js';
import { draftKey, dropDraft, keepDraft, readDraft } from '../drafts.js';

/** The message that is quoted: its id, its author's name and its text. */
export type Quote = NonNullable<ThreadMessage['quote']>;

/** What is being written and has not been sent. */
export interface DraftContent {
  text: string;
  quote: Quote | undefined;
  /** Uploaded, but not sent. */
  files: ProjectFile[];
}

const empty: DraftContent = { text: '', quote: undefined, files: [] };

/** Reads a stored draft; anything unreadable in it is left out. */
export function draftFrom(values: Record<string, string> | undefined): DraftContent {
  if (!values) return empty;
  return {
    text: values.text ?? '',
    quote: parsed<Quote>(values.quote),
    files: parsed<ProjectFile[]>(values.files) ?? [],
  };
}

export function draftValues({ text, quote, files }: DraftContent): Record<string, string> {
  return { text, ...(quote && { quote: JSON.stringify(quote) }), files: JSON.stringify(files) };
}

function parsed<T>(json: string | undefined): T | undefined {
  try {
    return json ? (JSON.parse(json) as T) : undefined;
  } catch {
    return undefined;
  }
}

export interface DraftMessage extends DraftContent {
  change(values: Partial<DraftContent>): void;
  /** Empties the draft, after it was sent. */
  clear(): void;
  isEmpty: boolean;
}

/** The draft of a message or a similar text, which this browser keeps across reloads. `parts` name the project and what the draft is for. */
export function useDraftMessage(...parts: string[]): DraftMessage {
  const key = draftKey(useAccount().id, ...parts);
  const [draft, setDraft] = useState(() => draftFrom(readDraft(key, new Date())?.values));
  const isEmpty = (one: DraftContent) => one.text === '' && !one.quote && one.files.length === 0;
  function keep(next: DraftContent): DraftContent {
    if (isEmpty(next)) dropDraft(key);
    else keepDraft(key, { values: draftValues(next), version: null }, new Date());
    return next;
  }
  return {
    ...draft,
    isEmpty: isEmpty(draft),
    change: (values) => setDraft((before) => keep({ ...before, ...values })),
    clear: () => setDraft(keep(empty)),
  };
}
