import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { pagesAround } from './Pager.js';
import { pageCount, pageFrom } from './paging.js';

test.each(['Pacific/Honolulu', 'Pacific/Auckland'])(
  'days and months do not depend on the reader’s time zone, such as %s',
  async (zone) => {
    // A formatter keeps the time zone in which it was created, so this runs in a process of its own.
    const script = `const { day, monthName } = await import('./web/src/workspace/formats.ts');
      console.log(JSON.stringify([day('2026-11-01'), monthName('2026-11')]));`;
    const loader = ['--import', './dev/tools/register-swc.mjs', '--input-type=module', '--eval', script];
    const env = { ...process.env, TZ: zone };
    const { stdout } = await promisify(execFile)(process.execPath, loader, { env });
    expect(JSON.parse(stdout)).toEqual(['Nov 1, 2026', 'November 2026']);
  },
);

describe('pages of a list', () => {
  test.each([
    [0, 1],
    [1, 1],
    [5, 1],
    [6, 2],
    [11, 3],
  ])('%i items at 5 per page are %i pages', (total, pages) => {
    expect(pageCount(total, 5)).toBe(pages);
  });

  test.each([
    ['3', 3],
    [null, 1],
    ['', 1],
    ['0', 1],
    ['-2', 1],
    ['1.5', 1],
    ['two', 1],
    ['99999999', 1],
  ])('the parameter `page` with the value %j means page %i', (text, page) => {
    expect(pageFrom(text)).toBe(page);
  });

  test.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 9, [1, 2, 3, 4, 5, 9]],
    [5, 9, [1, 3, 4, 5, 6, 7, 9]],
    [9, 9, [1, 5, 6, 7, 8, 9]],
  ])('page %i of %i offers the pages %j', (page, pages, shown) => {
    expect(pagesAround(page, pages)).toEqual(shown);
  });
});
