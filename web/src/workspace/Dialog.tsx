import { type ReactNode, type RefObject, useEffect, useId } from 'react';

interface DialogProps {
  /** For closing the dialog. */
  ref: RefObject<HTMLDialogElement | null>;
  className?: string;
  title: string;
  /** A change is being sent. The dialog stays open until the outcome is known, so that the person sees a refusal. */
  sending: boolean;
  children: ReactNode;
  /** Called when the dialog closes, for whatever reason. */
  close(): void;
}

/** Render it only while it is open. */
export function Dialog({ ref, className = '', title, sending, children, close }: DialogProps) {
  const titleId = useId();
  useEffect(() => ref.current?.showModal(), [ref]);
  return (
    <dialog
      className={`dialog ${className}`}
      ref={ref}
      aria-labelledby={titleId}
      // `closedby` and `onCancel` are both needed: not every browser knows `closedby`, and Chrome closes the dialog when Escape is pressed
      // repeatedly, although `cancel` was prevented.
      closedby={sending ? 'none' : undefined}
      onCancel={(event) => sending && event.preventDefault()}
      onClose={close}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Closes the dialog that it is in. */
export function CloseButton({ sending, children }: Pick<DialogProps, 'sending' | 'children'>) {
  return (
    <button
      className="button button--quiet"
      type="button"
      aria-disabled={sending}
      onClick={({ currentTarget }) => sending || currentTarget.closest('dialog')?.close()}
    >
      {children}
    </button>
  );
}
