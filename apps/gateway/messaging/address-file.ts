import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { DomainError, importLimits } from '#libs/contracts';
import { valueOfCell } from '../csv/csv-text.js';

/** A cell of the column of addresses, and the line of the file where its row begins, counted from 1. */
export interface AddressRow {
  line: number;
  text: string;
}

/** Messaging refuses longer texts, and no address is longer. */
const maxTextLength = 300;
const pieceBytes = 64 * 1024;
const maxRowBytes = 100_000;
const numberFormat = new Intl.NumberFormat('en-US');
const addressHeadings = new Set(['email', 'e-mail', 'mail', 'email address', 'e-mail address']);

/**
 * Takes the addresses from a CSV file in UTF-8, whose cells are separated by comma, semicolon or tab. Uses the column whose heading says e-mail,
 * otherwise the first one. Skips empty rows. Throws INVALID_INPUT with the field `file`.
 */
export async function parseAddressFile(bytes: Buffer): Promise<AddressRow[]> {
  const csvRows = await parseRowsWithRepair(decode(bytes));
  const headings = csvRows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const column = headings.findIndex((heading) => addressHeadings.has(heading));
  const rows = (column < 0 ? csvRows : csvRows.slice(1)).map(({ line, cells }) => ({
    line,
    text: cellText(cells[Math.max(column, 0)] ?? ''),
  }));
  if (rows.length === 0) throw unusable('contains no e-mail addresses');
  if (rows.length > importLimits.rows)
    throw unusable(`can have at most ${numberFormat.format(importLimits.rows)} rows`);
  return rows;
}

const unusable = (message: string) => DomainError.invalid([{ field: 'file', message }]);

/** Drops the byte order mark, and makes every line break `\n`. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    throw unusable('must be a text file in UTF-8');
  }
}

const cellText = (cell: string) => valueOfCell(cell.trim()).trim().slice(0, maxTextLength);

interface CsvRow {
  line: number;
  cells: string[];
}

const parserOptions = {
  info: true,
  relax_quotes: true,
  relax_column_count: true,
  skip_records_with_empty_values: true,
  // Limits the work for a file with stray quotes: at each of them, the parser copies a buffer as large as the longest cell so far.
  max_record_size: maxRowBytes,
  // The headings, and one row more than allowed.
  to: importLimits.rows + 2,
} as const;

async function parseRows(text: string): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  const parser = Readable.from(piecesOf(Buffer.from(text))).pipe(
    parse({ ...parserOptions, delimiter: separatorOf(text) }),
  );
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
    const lineBreaks = record.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
    // `info.lines` is the line where the record ends.
    rows.push({ line: info.lines - lineBreaks, cells: record });
  }
  return rows;
}

/** Lets the process answer requests between the pieces: parsing a large file takes more than a second. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes);
    await nextTurn();
  }
}

/** A quoted cell that is never closed ends at the end of the file. */
async function parseRowsWithRepair(text: string): Promise<CsvRow[]> {
  try {
    return await parseRows(text);
  } catch (error) {
    const code = error instanceof CsvError ? error.code : undefined;
    if (code === 'CSV_MAX_RECORD_SIZE')
      throw unusable(
        `has a row of more than ${numberFormat.format(maxRowBytes)} bytes; a quote may be missing`,
      );
    if (code === 'CSV_QUOTE_NOT_CLOSED') return parseRows(`${text}"`);
    throw error;
  }
}

function separatorOf(text: string): string {
  const start = Math.max(text.search(/\S/), 0);
  const end = text.indexOf('\n', start);
  const firstLine = text.slice(text.lastIndexOf('\n', start) + 1, end < 0 ? undefined : end);
  const count = (separator: string) => firstLine.split(separator).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0]!;
}
