import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from '../csv/csv-text.js';
import { readAddressFile } from './address-file.js';

const read = (text: string) => readAddressFile(Buffer.from(text)).map(({ line, text }) => [line, text]);

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
    'lines of Windows, and none at the end',
    'a@x.org\r\nb@x.org',
    [
      [1, 'a@x.org'],
      [2, 'b@x.org'],
    ],
  ],
  ['a head with another order', 'Name,E-Mail\nAda,a@x.org\n', [[2, 'a@x.org']]],
  ['semicolons and a byte order mark', '\uFEFFemail;name\na@x.org;"Ada; B"\n', [[2, 'a@x.org']]],
  ['tabs', 'name\temail\nAda\ta@x.org', [[2, 'a@x.org']]],
  [
    'quotes and line breaks in them',
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
    'our own export of what looks like a formula',
    csvLine(['E-mail']) + csvLine(['+a@x.org']),
    [[2, '+a@x.org']],
  ],
  ['a quote that never ends', '"a@x.org\nb@x.org', [[1, 'a@x.org\nb@x.org']]],
  ['quotes after text', 'a"b"c,d', [[1, 'a"b"c']]],
])('%s', (_what, text, rows) => {
  expect(read(text)).toEqual(rows);
});

test.each([
  ['nothing', Buffer.alloc(0), 'contains no e-mail addresses'],
  ['a head alone', Buffer.from('email\n'), 'contains no e-mail addresses'],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]), 'must be a text file in UTF-8'],
  ['50 001 rows', Buffer.from('a@x.org\n'.repeat(50_001)), 'can have at most 50,000 rows'],
])('%s is no such file', (_what, bytes, message) => {
  expect(() => readAddressFile(bytes)).toThrow(
    expect.objectContaining({ details: { fields: [{ field: 'file', message }] } }),
  );
});

test('whatever a file holds, each row is told with its line, once and bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1 }), (values) => {
      const given = values.map((value) => value.toWellFormed().trim()).filter((value) => value !== '');
      const file = csvLine(['email']) + given.map((value) => csvLine([value])).join('');
      if (given.length === 0) return;
      const rows = read(file);
      expect(rows).toHaveLength(given.length);
      for (const [, text] of rows) expect(String(text).length).toBeLessThanOrEqual(300);
      expect(new Set(rows.map(([line]) => line)).size).toBe(given.length);
    }),
  );
});
