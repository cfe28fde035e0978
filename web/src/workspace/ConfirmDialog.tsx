import { type ReactNode, useEffect, useId, useRef } from 'react';
import { FormProblem } from '../components/FormProblem.js';
import { type ChangeResult, useSave } from './query.js';

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** What is about to be done, as a verb: 'Delete question'. */
  action: string;
  /** The way back; 'Cancel' unless it says otherwise. */
  cancel?: string;
  /** Does it. A problem stays in the dialog, and it can be tried again. */
  confirm(): Promise<ChangeResult>;
  /** It was closed, whatever was answered. */
  close(): void;
}

/** Asks once more before what cannot be taken back. Rendered while it is asked; the browser keeps the focus inside. */
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
    // What was confirmed may take the dialog along; even then it closes, for those who wait for that.
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
