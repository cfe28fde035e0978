import { expect, test } from '@jest/globals';
import { draftFrom, draftValues } from './text-draft.js';

const draft = { text: 'Hello', quote: { _id: 'm1', name: 'Maya', text: 'Hi' }, files: [] };

test('a stored draft is read unchanged', () => {
  expect(draftFrom(draftValues(draft))).toEqual(draft);
  expect(draftFrom(draftValues({ ...draft, quote: undefined }))).toEqual({ ...draft, quote: undefined });
});

test('unreadable parts of a draft are left out, and its text is kept', () => {
  expect(draftFrom({ text: 'Hello', quote: '{', files: 'none' })).toEqual({
    text: 'Hello',
    quote: undefined,
    files: [],
  });
  expect(draftFrom(undefined)).toEqual({ text: '', quote: undefined, files: [] });
});
