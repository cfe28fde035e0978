import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { ConfirmDialog } from './ConfirmDialog.js';
import type { Leaving } from './leave-guard.js';

interface LeaveDialogProps {
  leaving: Leaving | undefined;
  /** The changes are kept as a draft. They are not while an earlier draft is offered. */
  keepsDraft?: boolean;
  /** What is not saved, if it is not the changes. */
  children?: ReactNode;
}

export function LeaveDialog({ leaving, keepsDraft = true, children }: LeaveDialogProps) {
  if (!leaving) return null;
  // Not where the form is: a modal dialog in a form that is hidden, such as one on another tab, would block the screen without being visible.
  return createPortal(
    <ConfirmDialog
      title="Leave without saving?"
      actionLabel="Leave"
      cancelLabel="Stay"
      confirm={() => {
        leaving.go();
        return Promise.resolve(undefined);
      }}
      close={leaving.stay}
    >
      <p>
        {children ?? 'Your changes aren’t saved.'}
        {!children && keepsDraft && ' This browser keeps them as a draft in case you come back.'}
      </p>
    </ConfirmDialog>,
    document.body,
  );
}
