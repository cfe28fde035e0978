import { ConfirmDialog } from './ConfirmDialog.js';
import type { Leaving } from './leave-guard.js';

interface LeaveDialogProps {
  leaving: Leaving | undefined;
  /** The changes are kept as a draft. */
  isKept?: boolean;
}

export function LeaveDialog({ leaving, isKept = true }: LeaveDialogProps) {
  if (!leaving) return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      cancel="Stay"
      confirm={() => {
        leaving.go();
        return Promise.resolve(undefined);
      }}
      close={leaving.stay}
    >
      <p>
        Your changes aren’t saved.
        {isKept && ' This browser keeps them as a draft in case you come back.'}
      </p>
    </ConfirmDialog>
  );
}
