import { useState } from 'react';
import type { BulkOutcome } from '#libs/contracts';
import { type Answer, callApi } from '../lib/api.js';
import { showToast } from '../lib/toasts.js';
import type { Selection } from './selection.js';
import type { ChangeResult } from './query.js';
import { offerUndo } from './undo.js';

interface FailedRow {
  id: string;
  name: string;
  reason: string;
}

interface BulkReport {
  total: number;
  failures: readonly FailedRow[];
}

interface BulkCall {
  /** The rows that were selected when the action began: the selection may change while a dialog is open. */
  ids: readonly string[];
  send(ids: string[]): Promise<Answer<BulkOutcome>>;
  /** Called once the screen shows the change, with the ids of the rows that are now in the requested state, at least one. */
  onDone(ids: readonly string[]): void;
}

export interface Bulk {
  report: BulkReport | undefined;
  dismiss(): void;
  /** Returns a problem if the whole call failed. Otherwise returns a callback that selects the rows that failed, and calls `onDone` unless all did. */
  run(call: BulkCall): Promise<ChangeResult>;
}

/** Rows that could not be changed stay selected, and are listed with the reasons. */
export function useBulk(selection: Selection, nameOf: (id: string) => string): Bulk {
  const [report, setReport] = useState<BulkReport>();
  return {
    report,
    dismiss: () => setReport(undefined),
    async run({ ids, send, onDone }) {
      const answer = await send([...ids]);
      if (!answer.ok) return answer.problem;
      const { done, failed } = answer.value;
      const failures = failed.map(({ _id, message }) => ({ id: _id, name: nameOf(_id), reason: message }));
      setReport(failures.length > 0 ? { total: ids.length, failures } : undefined);
      return () => {
        // Without a selection, the bulk actions are hidden, and so is the dialog of this one, which is open until now.
        selection.select(failures.map(({ id }) => id));
        if (done.length > 0) onDone(done);
      };
    },
  };
}

export type RestoreAddress =
  | 'POST /messages/restore'
  | 'POST /subscribers/restore'
  | 'POST /demo-content/restore';

interface UndeleteOffer {
  /** What was done: '2 messages are deleted'. */
  text: string;
  ids: readonly string[];
  restoreAddress: RestoreAddress;
  /** The toast afterwards: '2 messages are restored'. */
  restoredText: string;
  /** Called after at least one record was restored. */
  onRestored?: () => void;
}

export function offerUndelete({ text, ids, restoreAddress, restoredText, onRestored }: UndeleteOffer): void {
  const undo = async () => {
    const answer = await callApi(restoreAddress, { body: { ids: [...ids] } });
    if (!answer.ok) return answer.problem;
    const { done, failed } = answer.value;
    if (failed[0] && done.length === 0) return { status: 409, sentence: failed[0].message, fields: [] };
    onRestored?.();
    return () => showToast(failed.length > 0 ? `${done.length} of ${ids.length} restored` : restoredText);
  };
  offerUndo(text, undo, { takesFocus: true });
}
