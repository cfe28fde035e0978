import { type ReactNode, useState } from 'react';
import { newIdempotencyKey } from '../../lib/form.js';
import { type Bulk, counted, offerReturn } from '../../workspace/bulk.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';

interface DeleteChosenProps {
  bulk: Bulk;
  /** How many rows are chosen. */
  amount: number;
  one: string;
  many: string;
  /** Of the list: `/messages`. */
  path: '/messages' | '/subscribers';
  /** Of the button, and what is said of those that are gone: 'Delete', 'deleted'. */
  verb: string;
  participle: string;
  reread(): void;
  close(): void;
  children: ReactNode;
}

/** Asks before the chosen rows are deleted, and offers them back afterwards. */
export function DeleteChosen(props: DeleteChosenProps) {
  const { bulk, one, many, path, verb, participle, reread, close, children } = props;
  // Of those that were chosen when it was asked; of one call, however often it is sent.
  const [amount] = useState(props.amount);
  const [idempotencyKey] = useState(newIdempotencyKey);
  return (
    <ConfirmDialog
      title={`${verb} ${counted(amount, one, many)}?`}
      action={`${verb} ${counted(amount, one, many)}`}
      close={close}
      confirm={() =>
        bulk.run({
          path: `${path}/delete`,
          method: 'POST',
          idempotencyKey,
          done(ids) {
            const gone = counted(ids.length, one, many);
            offerReturn({
              text: `${gone} ${ids.length === 1 ? 'is' : 'are'} ${participle}`,
              ids,
              restorePath: `${path}/restore`,
              restored: `${gone} ${ids.length === 1 ? 'is' : 'are'} back`,
            });
            reread();
          },
        })
      }
    >
      <p>{children} You can undo this right after.</p>
    </ConfirmDialog>
  );
}
