import { describe, expect, test } from '@jest/globals';
import { publicPages } from '#libs/contracts';
import { operations } from '#libs/operations';
import { tableOf } from './operation-table.js';
import { chooseAnswer } from '../answers/negotiation.js';
import { findPage, hasPageSlash } from './page-table.js';

const id = '01936f5e-7c1a-7cc3-8d0a-0123456789ab';
const api = tableOf(operations);
const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** Uses the same functions as `front-door/front-door.ts`. */
function answerAt(path: string, accept: string | undefined): 'page' | 'json' | 'none' {
  const page = findPage(path);
  const json = api.match(path)?.value.has('GET') ?? false;
  if (!page && !json) return 'none';
  return chooseAnswer({ json, page: page !== undefined, isPagePath: hasPageSlash(path, page) }, accept);
}

describe('page or JSON at an address', () => {
  test.each([
    // path, browser, application/json, */* or no Accept header
    ['/', 'page', 'page', 'page'],
    ['/service', 'page', 'json', 'json'],
    ['/service/', 'page', 'json', 'page'],
    ['/SERVICE', 'page', 'json', 'json'],
    ['/pricing', 'page', 'page', 'page'],
    ['/pricing/', 'page', 'page', 'page'],
    [`/pricing/${id}`, 'json', 'json', 'json'],
    [`/banner/${id}`, 'page', 'json', 'json'],
    [`/banner/${id}/`, 'page', 'json', 'json'],
    [`/counters/${id}`, 'page', 'json', 'json'],
    ['/banner', 'json', 'json', 'json'],
    ['/service-items', 'json', 'json', 'json'],
    ['/docs', 'json', 'json', 'json'],
    ['/contact-us', 'page', 'page', 'page'],
    ['/add-logo', 'page', 'page', 'page'],
    ['/add-user', 'page', 'page', 'page'],
    ['/edit-testimonial/', 'page', 'page', 'page'],
    [`/edit-testimonial/${id}/`, 'page', 'page', 'page'],
    [`/${id}`, 'page', 'page', 'page'],
    ['/no-such-page', 'none', 'none', 'none'],
    ['/no/such/page', 'none', 'none', 'none'],
    ['/add-banner', 'none', 'none', 'none'],
  ])('%s: %s for browsers, %s for JSON, else %s', (path, toBrowser, toJsonClient, toOthers) => {
    expect([browser, 'application/json', '*/*', undefined].map((accept) => answerAt(path, accept))).toEqual([
      toBrowser,
      toJsonClient,
      toOthers,
      toOthers,
    ]);
  });
});

test('every public page is found under its path and under its canonical address', () => {
  for (const page of publicPages) {
    expect(findPage(page.path)).toEqual({ kind: 'public', page });
    expect(findPage(page.canonical)).toMatchObject({ kind: 'public', page: { canonical: page.canonical } });
  }
});
