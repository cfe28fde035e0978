import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Brief } from '#libs/contracts';
import { useAccount } from '../../workspace/current-screen.js';
import { draftKey } from '../../workspace/drafts.js';
import { changesOf } from '../../workspace/projects/brief-draft.js';
import { useMarkUnsaved } from '../../workspace/unsaved.js';
import { BriefSaver, type BriefState, canBeRetried } from './brief-saver.js';

/** After the last change. */
const saveAfterMs = 900;
const retryAfterMs = 5_000;

export interface BriefForm extends BriefState, Pick<BriefSaver, 'change' | 'dismissConflict' | 'complete'> {
  isUnsaved: boolean;
}

export function useBriefForm(brief: Brief, projectId: string): BriefForm {
  const key = draftKey(useAccount().id, 'brief', projectId);
  const [saver] = useState(() => new BriefSaver(brief, projectId, key));
  const state = useSyncExternalStore(saver.subscribe, () => saver.state);
  const { stored, answers, problem, saving } = state;
  const isUnsaved = Object.keys(changesOf(stored.answers, answers)).length > 0;
  useMarkUnsaved(isUnsaved);
  // After a permanent refusal, nothing is sent again until another change has discarded the problem.
  const canSave = isUnsaved && !(problem && !canBeRetried(problem));

  useEffect(() => {
    // `saving` is a dependency so that each failure is followed by another attempt, even if the problem is the same as before.
    if (!canSave || saving) return;
    const timer = setTimeout(() => void saver.save(), problem ? retryAfterMs : saveAfterMs);
    return () => clearTimeout(timer);
  }, [saver, answers, canSave, problem, saving]);
  const saveNow = useEffectEvent(() => canSave && void saver.save());
  useEffect(() => {
    const retry = () => saveNow();
    window.addEventListener('online', retry);
    return () => {
      window.removeEventListener('online', retry);
      // The person may leave right after typing.
      saveNow();
    };
  }, []);

  return {
    ...state,
    isUnsaved,
    change: (questionId, answer) => saver.change(questionId, answer),
    dismissConflict: (questionId) => saver.dismissConflict(questionId),
    complete: () => saver.complete(),
  };
}
