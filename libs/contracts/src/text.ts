/** Text that can be stored and shown: no NUL (Postgres cannot hold it), no lone surrogates (JSON cannot carry them). */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/**
 * One line of printable text: nothing that ends a line or steers a terminal. What holds such text can neither split the header
 * of a mail nor forge a line of a log. A tab is white space.
 */
export function isSingleLine(value: string): boolean {
  return !/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/.test(value);
}
