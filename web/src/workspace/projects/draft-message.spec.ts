import { expect, test } from '@jest/globals';
import { draftFrom, draftValues } from './draft-message.js';

const draft = { text: 'Hello', quote: { _id: 'm1', name: 'Maya', text: 'Hi' }, files: [] };

test('a draft is read as it was kept', () => {
  expect(draftFrom(draftValues(draft))).toEqual(draft);
  expect(draftFrom(draftValues({ ...draft, quote: undefined }))).toEqual({ ...draft, quote: undefined });
});

test('what cannot be read is left out, and the text is kept', () => {
  expect(draftFrom({ text: 'Hello', quote: '{', files: 'none' })).toEqual({
    text: 'Hello',
    quote: undefined,
    files: [],
  });
  expect(draftFrom(undefined)).toEqual({ text: '', quote: undefined, files: [] });
});
