/**
 * Beginnings that a spreadsheet takes for a formula, also after blanks (OWASP, CSV Injection). Some
 * spreadsheets treat the full-width forms as the usual ones.
 */
const formula = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * One line of a CSV file (RFC 4180), with its line end. Every value is quoted, because spreadsheets of some countries separate at semicolons, and
 * would split a value that contains one. What could be a formula gets a leading apostrophe, which marks it as text.
 */
export function csvLine(values: readonly string[]): string {
  const quoted = values.map(
    (value) => `"${(formula.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}

/** The value in a cell of such a file: without the apostrophe that `csvLine` puts before what could be a formula. */
export const valueOfCell = (cell: string) =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

/** Without it, Excel reads UTF-8 as the machine's legacy code page; most other programs skip it. */
export const byteOrderMark = '\uFEFF';
