import type { ReactNode } from 'react';
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
  return (
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
    </ConfirmDialog>
  );
}
