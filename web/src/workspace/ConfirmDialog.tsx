import { type ReactNode, useRef } from 'react';
import { FormProblem } from '../components/FormProblem.js';
import { CloseButton, Dialog } from './Dialog.js';
import { closeAfterChange } from './focus-content.js';
import { type ChangeResult, useSave } from './query.js';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** Names the button that makes the change. Begins with a verb, such as 'Delete question'. */
  actionLabel: string;
  /** Names the button that closes the dialog without the change. */
  cancelLabel?: string;
  /** Makes the change. If that fails, the dialog shows the problem, and the person can try again. */
  confirm(): Promise<ChangeResult>;
  /** Called when the dialog closes, whether the person confirmed or not. */
  close(): void;
}

/** Render it only while it is open. */
export function ConfirmDialog({
  title,
  children,
  actionLabel,
  cancelLabel = 'Cancel',
  confirm,
  close,
}: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { save, saving, problem } = useSave(confirm);
  async function confirmThenClose(): Promise<void> {
    // `confirm` can unmount the dialog. Even then, the element must be closed, because `UndoOffers` can be waiting for its `close` event.
    const element = dialog.current;
    if (!(await save())) return;
    closeAfterChange(element);
  }
  return (
    <Dialog ref={dialog} title={title} sending={saving} close={close}>
      <div className="dialog__content">{children}</div>
      <FormProblem problem={problem} />
      <p className="buttons">
        <CloseButton sending={saving}>{cancelLabel}</CloseButton>
        <button
          className="button"
          type="button"
          aria-disabled={saving}
          onClick={() => void confirmThenClose()}
        >
          {saving ? 'One moment' : actionLabel}
        </button>
      </p>
    </Dialog>
  );
}
