import { DomainError, importLimits } from '#libs/contracts';

/** A value of the address column, with its line in the file, counted from 1. */
export interface AddressRow {
  line: number;
  text: string;
}

/** Characters kept of a value; no address is longer. */
const maxTextLength = 300;
const headerNames = new Set(['email', 'e-mail', 'mail', 'email address', 'e-mail address']);

/**
 * The addresses in a CSV file (RFC 4180) in UTF-8, separated by comma, semicolon or tab: the column with an e-mail header, or else the first
 * column. Empty lines are skipped. INVALID_INPUT with the field `file`.
 */
export function readAddressFile(bytes: Buffer): AddressRow[] {
  const records = [...recordsOf(textOf(bytes))];
  const head = records[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const column = head.findIndex((cell) => headerNames.has(cell));
  const rows = (column < 0 ? records : records.slice(1)).map(({ line, cells }) => ({
    line,
    text: cellText(cells[Math.max(column, 0)] ?? ''),
  }));
  if (rows.length === 0) throw unusable('contains no e-mail addresses');
  if (rows.length > importLimits.rows)
    throw unusable(`can have at most ${importLimits.rows.toLocaleString('en-US')} rows`);
  return rows;
}

const unusable = (message: string) => DomainError.invalid([{ field: 'file', message }]);

function textOf(bytes: Buffer): string {
  try {
    // Skips a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable('must be a text file in UTF-8');
  }
}

/** Our own exports put an apostrophe before text that a spreadsheet would take for a formula. */
const cellText = (cell: string) =>
  cell
    .trim()
    .replace(/^'(?=[=+\-@])/, '')
    .slice(0, maxTextLength);

interface CsvRecord {
  line: number;
  cells: string[];
}

/** The most frequent separator in the first line. */
function separatorOf(text: string): string {
  const first = /^[^\r\n]*/.exec(text)![0];
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0]!;
}

function* recordsOf(text: string): Generator<CsvRecord> {
  const separator = separatorOf(text);
  const token = new RegExp(`"((?:[^"]|"")*)"?|([^${separator}\\r\\n]+)`, 'y');
  let line = 1;
  let record: CsvRecord = { line, cells: [''] };
  const append = (part: string) => (record.cells[record.cells.length - 1] += part);
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    if (character === separator) {
      record.cells.push('');
      at += 1;
    } else if (character === '\n' || character === '\r') {
      at += text.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
      if (record.cells.some((cell) => cell.trim() !== '')) yield record;
      record = { line, cells: [''] };
    } else {
      token.lastIndex = at;
      const [whole, quoted, plain] = token.exec(text)!;
      append(quoted?.replaceAll('""', '"') ?? plain!);
      line += quoted === undefined ? 0 : quoted.split(/\r\n|\r|\n/).length - 1;
      at += whole.length;
    }
  }
  if (record.cells.some((cell) => cell.trim() !== '')) yield record;
}
