import { type ReactNode, useEffect, useId, useRef } from 'react';
import { FormProblem } from '../components/FormProblem.js';
import { type ChangeResult, useSave } from './query.js';

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** Label of the confirming button, a verb: 'Delete question'. */
  action: string;
  /** Label of the other button; 'Cancel' by default. */
  cancel?: string;
  /** Makes the change. If it fails, the dialog shows the problem, and the person can try again. */
  confirm(): Promise<ChangeResult>;
  /** Called when the dialog closes, whether the person confirmed or not. */
  close(): void;
}

/** Asks for confirmation. Render it only while it is open; the browser keeps the focus inside. */
export function ConfirmDialog({
  title,
  children,
  action,
  cancel = 'Cancel',
  confirm,
  close,
}: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { save, saving, problem } = useSave(confirm);
  useEffect(() => dialog.current?.showModal(), []);
  async function go(): Promise<void> {
    // The confirmed action may unmount the dialog; it still has to close, because `UndoOffers` waits for its
    // `close` event.
    const element = dialog.current;
    if (await save()) element?.close();
  }
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={titleId} onClose={close}>
      <h2 id={titleId}>{title}</h2>
      <div>{children}</div>
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={() => dialog.current?.close()}>
          {cancel}
        </button>
        <button className="button" type="button" aria-disabled={saving} onClick={() => void go()}>
          {saving ? 'One moment' : action}
        </button>
      </p>
    </dialog>
  );
}
