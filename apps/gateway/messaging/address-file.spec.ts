import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, valueOfCell } from '../csv/csv-text.js';
import { parseAddressFile } from './address-file.js';

async function read(text: string): Promise<[line: number, text: string][]> {
  const rows = await parseAddressFile(Buffer.from(text));
  return rows.map(({ line, text }) => [line, text]);
}

test.each<[string, string, [number, string][]]>([
  [
    'one address a line',
    'a@x.org\nb@x.org\n',
    [
      [1, 'a@x.org'],
      [2, 'b@x.org'],
    ],
  ],
  [
    'Windows line ends, and none after the last line',
    'a@x.org\r\nb@x.org',
    [
      [1, 'a@x.org'],
      [2, 'b@x.org'],
    ],
  ],
  ['a header row, and the addresses in the second column', 'Name,E-Mail\nAda,a@x.org\n', [[2, 'a@x.org']]],
  ['semicolons and a byte order mark', '\uFEFFemail;name\na@x.org;"Ada; B"\n', [[2, 'a@x.org']]],
  ['semicolons after empty lines', '\n \nemail;name\na@x.org;Ada\n', [[4, 'a@x.org']]],
  ['tabs after an empty cell', '\temail\nAda\ta@x.org', [[2, 'a@x.org']]],
  ['tabs', 'name\temail\nAda\ta@x.org', [[2, 'a@x.org']]],
  [
    'quoted cells that contain quotes and line breaks',
    'name,email\n"A ""B""\nC",a@x.org\nD,b@x.org',
    [
      [2, 'a@x.org'],
      [4, 'b@x.org'],
    ],
  ],
  [
    'empty lines and a missing cell',
    'name,email\n\n ,\nAda\nB,b@x.org',
    [
      [4, ''],
      [5, 'b@x.org'],
    ],
  ],
  [
    'an address that looks like a formula, as our own exports write it',
    csvLine(['E-mail']) + csvLine(['+a@x.org']),
    [[2, '+a@x.org']],
  ],
  ['a quote that never ends', '"a@x.org\nb@x.org', [[1, 'a@x.org\nb@x.org']]],
  ['quotes after text', 'a"b"c,d', [[1, 'a"b"c']]],
])('reads a file with %s', async (_what, text, rows) => {
  expect(await read(text)).toEqual(rows);
});

test.each([
  ['an empty file', Buffer.alloc(0), 'contains no e-mail addresses'],
  ['only a header row', Buffer.from('email\n'), 'contains no e-mail addresses'],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]), 'must be a text file in UTF-8'],
  ['50,001 rows', Buffer.from('a@x.org\n'.repeat(50_001)), 'can have at most 50,000 rows'],
  [
    'a row of 4 MB, followed by stray quotes',
    Buffer.from(`${'x'.repeat(4_000_000)}\n${'"a"b,'.repeat(200_000)}`),
    'has a row of more than 100,000 bytes; a quote may be missing',
  ],
  [
    'a quote that swallows the rest of a long file',
    Buffer.from(`"${'a@x.org\n'.repeat(20_000)}`),
    'has a row of more than 100,000 bytes; a quote may be missing',
  ],
])('%s is refused', async (_what, bytes, message) => {
  await expect(parseAddressFile(bytes)).rejects.toThrow(
    expect.objectContaining({ details: { fields: [{ field: 'file', message }] } }),
  );
});

test('170,000 consecutive quotes are one cell of quotes, which is truncated', async () => {
  // Inside a quoted cell, two quotes stand for one, so the row counts as fewer than 100,000 bytes.
  expect(await read('"'.repeat(170_000))).toEqual([[1, '"'.repeat(300)]]);
});

test.each(['=1', '+ada@example.com', ' @ada', '\uff0bada@example.com'])(
  'the exported value %j is read back, trimmed',
  async (value) => {
    expect(await read(csvLine([value]))).toEqual([[1, value.trim()]]);
  },
);

/**
 * The text that reading returns for an exported value. Reading removes an apostrophe before what could be a formula, because exports add one. It also
 * removes an apostrophe with which the value itself begins, as in `'=1`.
 */
const asRead = (value: string) => valueOfCell(value.replace(/\r\n?/g, '\n')).trim().slice(0, 300);

test('whatever the rows contain, each is returned once, with its own line number and at most 300 characters', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1 }),
      async (values) => {
        const given = values.map((value) => value.toWellFormed().trim()).filter((value) => value !== '');
        const file = csvLine(['email']) + given.map((value) => csvLine([value])).join('');
        if (given.length === 0) return;
        const rows = await read(file);
        expect(rows.map(([, text]) => text)).toEqual(given.map(asRead));
        expect(new Set(rows.map(([line]) => line)).size).toBe(given.length);
      },
    ),
  );
});

test('any text is read in the order of its lines, or refused as invalid', async () => {
  let accepted = 0;
  const character = fc.constantFrom('"', ',', ';', '\n', '\r', '\t', ' ', 'a', "'", '=', '\uFEFF', '\u00e9');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: character, maxLength: 60 }), async (text) => {
      const rows = await read(text).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'INVALID_INPUT' });
        return [];
      });
      const lines = rows.map(([line]) => line);
      expect(lines).toEqual(lines.toSorted((one, other) => one - other));
      if (rows.length > 0) accepted += 1;
    }),
  );
  expect(accepted).toBeGreaterThan(20);
});
