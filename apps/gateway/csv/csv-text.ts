/** What a spreadsheet takes for the beginning of a formula (OWASP, CSV Injection), including full-width forms. */
const formula = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * One line of a CSV file (RFC 4180), with its line end. Every value is quoted, because some spreadsheets separate at semicolons. What could be a
 * formula gets a leading apostrophe, which marks it as text.
 */
export function csvLine(values: readonly string[]): string {
  const quoted = values.map(
    (value) => `"${(formula.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}

/** Undoes the apostrophe of `csvLine`. */
export const valueOfCell = (cell: string) =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

/** Without it, Excel reads UTF-8 as the machine's legacy code page. */
export const byteOrderMark = '\uFEFF';
