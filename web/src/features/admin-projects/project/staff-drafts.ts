import { useState } from 'react';
import { useAccount } from '../../../workspace/current-screen.js';
import { draftKey, keepDraft, readDraft } from '../../../workspace/drafts.js';
import { oneOf } from '../../../workspace/list-filter.js';
import { type TextDraft, useTextDraft } from '../../../workspace/projects/text-draft.js';

export type Mode = 'message' | 'note';
const modes = { message: true, note: true } as const;

/**
 * Each mode has a draft of its own: text moves between them only when the person presses the button of the other mode. Files stay with the mode in
 * which they were added, because those of notes are hidden from the customer.
 */
export function useStaffDrafts(projectId: string) {
  const key = draftKey(useAccount().id, 'project', projectId, 'mode');
  const drafts: Record<Mode, TextDraft> = {
    message: useTextDraft('project', projectId, 'staff-message'),
    note: useTextDraft('project', projectId, 'note'),
  };
  const [mode, setMode] = useState<Mode>(() => {
    const kept = oneOf(modes, readDraft(key, new Date())?.values.mode);
    return kept ?? (drafts.note.isEmpty ? 'message' : 'note');
  });

  function chooseMode(next: Mode): void {
    if (next === mode) return;
    keepDraft(key, { values: { mode: next }, version: null }, new Date());
    const { text } = drafts[mode];
    if (text) {
      drafts[next].change({ text: joined(drafts[next].text, text) });
      drafts[mode].change({ text: '' });
    }
    setMode(next);
  }

  return { mode, chooseMode, draft: drafts[mode], byMode: drafts };
}

/** Nothing that was typed is lost, even if both modes have a text. */
const joined = (before: string, added: string) => (before ? `${before}\n\n${added}` : added);
