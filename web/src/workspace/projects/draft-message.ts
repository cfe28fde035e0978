import { useState } from 'react';
import type { ProjectFile, ThreadMessage } from '#libs/contracts';
import { useAccount } from '../current-screen.js';
import { draftKey, dropDraft, keepDraft, readDraft } from '../drafts.js';

/** The message that is answered. */
export type Quote = NonNullable<ThreadMessage['quote']>;

/** What is being written and has not been sent. */
export interface MessageDraft {
  text: string;
  quote: Quote | undefined;
  /** Uploaded, but not sent. */
  files: ProjectFile[];
}

const empty: MessageDraft = { text: '', quote: undefined, files: [] };

/** Reads a draft as it was kept; anything unreadable in it is left out. */
export function draftFrom(values: Record<string, string> | undefined): MessageDraft {
  if (!values) return empty;
  return {
    text: values.text ?? '',
    quote: parsed<Quote>(values.quote),
    files: parsed<ProjectFile[]>(values.files) ?? [],
  };
}

export function draftValues({ text, quote, files }: MessageDraft): Record<string, string> {
  return { text, ...(quote && { quote: JSON.stringify(quote) }), files: JSON.stringify(files) };
}

function parsed<T>(json: string | undefined): T | undefined {
  try {
    return json ? (JSON.parse(json) as T) : undefined;
  } catch {
    return undefined;
  }
}

export interface DraftMessage extends MessageDraft {
  change(values: Partial<MessageDraft>): void;
  /** It was sent. */
  clear(): void;
  isEmpty: boolean;
}

/** A message that survives a reload, in this browser. `parts` name the thread. */
export function useDraftMessage(...parts: string[]): DraftMessage {
  const key = draftKey(useAccount().id, ...parts);
  const [draft, setDraft] = useState(() => draftFrom(readDraft(key, new Date())?.values));
  const isEmpty = (one: MessageDraft) => one.text === '' && !one.quote && one.files.length === 0;
  function keep(next: MessageDraft): MessageDraft {
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
