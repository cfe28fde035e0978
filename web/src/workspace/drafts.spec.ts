/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { draftKey, dropDraft, keepDraft, readDraft } from './drafts.js';

const key = draftKey('ada', 'banner', 'new');
const draft = { values: { heading: 'Climb the list' }, version: 2 };
const now = new Date('2026-03-01T12:00:00.000Z');
const daysLater = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000);

beforeEach(() => localStorage.clear());
afterEach(() => {
  jest.restoreAllMocks();
});

test('a draft is stored with its version and time, until it is deleted', () => {
  keepDraft(key, draft, now);
  expect(readDraft(key, now)).toEqual({ ...draft, savedAt: '2026-03-01T12:00:00.000Z' });
  dropDraft(key);
  expect(readDraft(key, now)).toBeUndefined();
});

test('each account and each section has drafts of its own', () => {
  keepDraft(key, draft, now);
  expect(readDraft(draftKey('grace', 'banner', 'new'), now)).toBeUndefined();
  expect(readDraft(draftKey('ada', 'about', 'new'), now)).toBeUndefined();
});

test('a draft that is 30 days old is deleted instead of read', () => {
  keepDraft(key, draft, now);
  expect(readDraft(key, daysLater(29))).toMatchObject(draft);
  expect(readDraft(key, daysLater(30))).toBeUndefined();
  expect(localStorage.getItem(key)).toBeNull();
});

const startOfDraft = '{"savedAt":"2026-03-01T12:00:00.000Z","values":';
test.each(['', 'nonsense', '7', '{"values":{}}', `${startOfDraft}"x"}`, `${startOfDraft}null}`])(
  'anything else in storage, such as %j, is not a draft',
  (text) => {
    localStorage.setItem(key, text);
    expect(readDraft(key, now)).toBeUndefined();
  },
);

test('full or forbidden storage causes no error', () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const)
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    });
  keepDraft(key, draft, now);
  dropDraft(key);
  expect(readDraft(key, now)).toBeUndefined();
});
