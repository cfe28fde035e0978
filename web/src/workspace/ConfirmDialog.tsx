import { type ReactNode, useEffect, useId, useRef } from 'react';
import { FormProblem } from '../components/FormProblem.js';
import { focusContentIfFocusIsLost } from './focus-content.js';
import { type ChangeResult, useSave } from './query.js';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** Label of the confirming button, a verb: 'Delete question'. */
  action: string;
  /** Label of the other button. */
  cancel?: string;
  /** If the change fails, the dialog shows the problem, and the person can try again. */
  confirm(): Promise<ChangeResult>;
  /** Called when the dialog closes, whether the person confirmed or not. */
  close(): void;
}

/** Render it only while it is open. */
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
    // `confirm` can unmount the dialog, which is closed even then: `UndoOffers` can be waiting for its `close` event.
    const element = dialog.current;
    if (!(await save())) return;
    // The browser returns the focus to the button that opened the dialog, unless `confirm` has removed that button.
    element?.addEventListener('close', focusContentIfFocusIsLost, { once: true });
    element?.close();
  }
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={titleId} onClose={close}>
      <h2 id={titleId}>{title}</h2>
      <div className="dialog__content">{children}</div>
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
