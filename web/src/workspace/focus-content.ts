import type { RefObject } from 'react';

/** Call it when the element that had the focus is gone. */
export function focusContent(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Call it when the element that had the focus may be gone. */
export function focusContentIfFocusIsLost(): void {
  if (document.activeElement === document.body) focusContent();
}

/** The browser returns the focus to the button that opened the dialog, unless the change has removed that button. */
export function closeAfterChange(dialog: HTMLDialogElement | null): void {
  dialog?.addEventListener('close', focusContentIfFocusIsLost, { once: true });
  dialog?.close();
}

/** In the next frame, because a form may take the element's place until then. Does nothing if something else has the focus. */
export function focusWhenShown(element: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) element.current?.focus();
  });
}
