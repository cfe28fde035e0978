import { useState } from 'react';
import { callApi } from '../lib/api.js';
import { newIdempotencyKey } from '../lib/form.js';
import { type Bulk, offerUndelete, type RestoreAddress } from './bulk.js';
import { ConfirmDialog } from './ConfirmDialog.js';
import { counted } from './formats.js';
import type { Selection } from './selection.js';

interface Deletion {
  /** What a row is called: 'message'. */
  one: string;
  many: string;
  deleteAddress: 'POST /messages/delete' | 'POST /subscribers/delete';
  restoreAddress: RestoreAddress;
  /** Label of the button, and first word of the question: 'Delete'. */
  verb: string;
  /** In '2 messages are deleted': 'deleted'. */
  participle: string;
  /** What deleting means, after '2 messages': 'will disappear'. */
  effect: string;
}

interface DeleteSelectedProps {
  deletion: Deletion;
  bulk: Bulk;
  selection: Selection;
}

/** Asks for confirmation, and offers to restore the rows afterwards. */
export function DeleteSelected({ deletion, bulk, selection }: DeleteSelectedProps) {
  // Set when the dialog opens: a repeated attempt sends the same rows with the same key.
  const [request, setRequest] = useState<{ ids: readonly string[]; idempotencyKey: string }>();
  const { one, many, deleteAddress, restoreAddress, verb, participle, effect } = deletion;
  const what = request && counted(request.ids.length, one, many);
  return (
    <>
      <button
        className="button button--quiet"
        type="button"
        onClick={() => setRequest({ ids: selection.ids, idempotencyKey: newIdempotencyKey() })}
      >
        {verb}
      </button>
      {request && (
        <ConfirmDialog
          title={`${verb} ${what}?`}
          actionLabel={`${verb} ${what}`}
          close={() => setRequest(undefined)}
          confirm={() =>
            bulk.run({
              ids: request.ids,
              send: (ids) =>
                callApi(deleteAddress, { body: { ids }, idempotencyKey: request.idempotencyKey }),
              onDone(ids) {
                const sentenceStart = `${counted(ids.length, one, many)} ${ids.length === 1 ? 'is' : 'are'}`;
                offerUndelete({
                  text: `${sentenceStart} ${participle}`,
                  ids,
                  restoreAddress,
                  restoredText: `${sentenceStart} restored`,
                });
              },
            })
          }
        >
          <p>
            {what} {effect}. You can undo this right afterwards.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
