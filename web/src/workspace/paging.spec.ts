import { describe, expect, test } from '@jest/globals';
import { pagesAround } from './Pager.js';
import { pageCount, pageFrom } from './paging.js';

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
    // Greater than any page number that the API accepts.
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
