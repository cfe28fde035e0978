import { describe, expect, test } from '@jest/globals';
import { fileNameOf } from './file-name.js';

describe('the name of an uploaded file', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['Größe & Maße 2026.xlsx', 'Größe & Maße 2026.xlsx'],
    ['日本語.txt', '日本語.txt'],
    ['family 👩‍👩‍👧.png', 'family 👩‍👩‍👧.png'],
    ['\u200d', 'file'],
    ['C:\\Users\\ada\\report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['/etc/shadow', 'shadow'],
    ['folder/', 'file'],
    ['', 'file'],
    ['   ', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['...', 'file'],
    ['.htaccess', 'htaccess'],
    ['report.pdf. . ', 'report.pdf'],
    ['a\u0000b\r\nc\u0085.txt', 'a b c .txt'],
    ['two\u2028lines.txt', 'two lines.txt'],
    ['report\u202Efdp.exe', 'reportfdp.exe'],
    ['re\u200Bport\u2066.pdf\uFEFF', 'report.pdf'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['console.log', 'console.log'],
    ['e\u0301.txt', 'é.txt'],
    // The slash is taken for a path separator.
    ['<b>"x"</b>', 'b>'],
    ['\ud800.txt', '\ufffd.txt'],
  ])('%j is shown as %j', (sent, shown) => {
    expect(fileNameOf(sent)).toBe(shown);
  });

  test('is cut to 255 bytes without splitting a character, and keeps a short extension', () => {
    const name = fileNameOf(`${'ü👍'.repeat(200)}.jpeg`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(name)).toBeGreaterThan(245);
    expect(name).toMatch(/^(ü👍)+ü?\.jpeg$/u);
    expect(Buffer.byteLength(fileNameOf('x'.repeat(10_000)))).toBe(255);
    expect(fileNameOf(`a.${'x'.repeat(300)}`)).toHaveLength(255);
    // The cut leaves a dot at the end, which is dropped.
    expect(fileNameOf(`${'x'.repeat(254)}.${'y'.repeat(300)}`)).toBe('x'.repeat(254));
  });
});
