import { useState } from 'react';
import type { ProjectFile, ThreadMessage } from '#libs/contracts';
import { useAccount } from '../current-screen.js';
import { draftKey, dropDraft, keepDraft, readDraft } from '../drafts.js';

export type Quote = NonNullable<ThreadMessage['quote']>;

export interface DraftContent {
  text: string;
  quote: Quote | undefined;
  /** Uploaded, but not sent. */
  files: ProjectFile[];
}

const empty: DraftContent = { text: '', quote: undefined, files: [] };

/** Leaves out what is unreadable in a stored draft. */
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

export interface TextDraft extends DraftContent {
  change(values: Partial<DraftContent>): void;
  clear(): void;
  isEmpty: boolean;
}

/** This browser keeps the draft across reloads. `parts` name what the draft is for. The kept draft is read only at the first render. */
export function useTextDraft(...parts: string[]): TextDraft {
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
