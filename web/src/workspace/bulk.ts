import { useState } from 'react';
import type { BulkOutcome } from '#libs/contracts';
import { type Answer, callApi, type Problem } from '../lib/api.js';
import { showToast } from '../lib/toasts.js';
import { count } from './formats.js';
import type { Selection } from './selection.js';
import { offerUndo } from './undo.js';

/** What stayed as it was, and why. */
interface Leftover {
  id: string;
  name: string;
  reason: string;
}

interface BulkReport {
  /** How many were to be changed. */
  asked: number;
  left: readonly Leftover[];
}

interface BulkCall {
  send(ids: string[]): Promise<Answer<BulkOutcome>>;
  /** Tells of those for which it worked; there is at least one. */
  done(ids: readonly string[]): void;
}

export interface Bulk {
  report: BulkReport | undefined;
  dismiss(): void;
  /** Changes the chosen rows by one call. A problem is one of the whole call: nothing was changed. */
  run(call: BulkCall): Promise<Problem | undefined>;
}

/** Changes of the chosen rows. Those that stayed as they were stay chosen, and are told with their reasons. */
export function useBulk(selection: Selection, nameOf: (id: string) => string): Bulk {
  const [report, setReport] = useState<BulkReport>();
  return {
    report,
    dismiss: () => setReport(undefined),
    async run({ send, done }) {
      const { ids } = selection;
      const answer = await send([...ids]);
      if (!answer.ok) return answer.problem;
      const { done: changed, failed } = answer.value;
      const left = failed.map(({ _id, message }) => ({ id: _id, name: nameOf(_id), reason: message }));
      setReport(left.length > 0 ? { asked: ids.length, left } : undefined);
      selection.keep(left.map(({ id }) => id));
      if (changed.length > 0) done(changed);
      return undefined;
    },
  };
}

/** `counted(1, 'message', 'messages')` → `1 message`. */
export const counted = (amount: number, one: string, many: string) =>
  `${count(amount)} ${amount === 1 ? one : many}`;

export type RestoreAddress = 'POST /messages/restore' | 'POST /subscribers/restore';

interface Deleted {
  /** What was done: '2 messages are deleted'. */
  text: string;
  ids: readonly string[];
  /** The call that brings them back. */
  restore: RestoreAddress;
  /** What is said then. */
  restored: string;
}

/** Says that records were deleted, and offers to bring them back. */
export function offerReturn({ text, ids, restore, restored }: Deleted): void {
  const undo = async () => {
    const answer = await callApi(restore, { body: { ids: [...ids] } });
    if (!answer.ok) return answer.problem;
    const { done, failed } = answer.value;
    if (failed[0] && done.length === 0) return { status: 409, sentence: failed[0].message, fields: [] };
    showToast(failed.length > 0 ? `${done.length} of ${ids.length} restored` : restored);
    return undefined;
  };
  offerUndo(text, undo, { takesFocus: true });
}
