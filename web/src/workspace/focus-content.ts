/** Call it when the element that had the focus is gone. */
export function focusContent(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Call it when the element that had the focus may be gone. */
export function focusContentIfFocusIsLost(): void {
  if (document.activeElement === document.body) focusContent();
}
