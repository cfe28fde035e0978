/**
 * What a spreadsheet would take for a formula: it begins so, after blanks too (OWASP, CSV Injection). The wide forms are
 * what some spreadsheets read as the narrow ones.
 */
const formula = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * One line of a CSV file (RFC 4180), with its line end. Every value is quoted, so no separator of any country's spreadsheets splits one;
 * what could be a formula is preceded by an apostrophe, which spreadsheets take as 'this is text'.
 */
export function csvLine(values: readonly string[]): string {
  const quoted = values.map(
    (value) => `"${(formula.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}

/** Without it Excel reads UTF-8 as the machine's old code page; everything else passes over it. */
export const byteOrderMark = '\uFEFF';
