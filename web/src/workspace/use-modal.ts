import { type RefObject, useEffect } from 'react';

/** Opens a dialog that is shown until it is no longer rendered. Then returns the focus, which the browser does only when a dialog is closed. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const { activeElement } = document;
    dialog.current?.showModal();
    return () => {
      if (activeElement instanceof HTMLElement && activeElement.isConnected) activeElement.focus();
    };
  }, [dialog]);
}
