import { expect, test } from '@jest/globals';
import { answerFault, changesOf, completeAddress, mergedAnswers, requiredUnanswered } from './brief-draft.js';

const question = { help: '', required: true, options: [] };

test('only changed answers are saved, and an empty answer is the same as a missing one', () => {
  expect(changesOf({ a: 'old', c: ['x'] }, { a: 'old', b: '', c: ['x', 'y'] })).toEqual({ c: ['x', 'y'] });
  expect(changesOf({ a: 'old' }, { a: '' })).toEqual({ a: '' });
});

test('answers that somebody else has saved are used, except where another answer was typed here', () => {
  const before = { site: '', goal: 'more', name: 'Ada' };
  const mine = { site: 'https://mine.example', goal: 'more', name: 'Ada L' };
  const current = {
    answers: { site: 'https://theirs.example', goal: 'many more', name: 'Ada' },
    savedBy: 'Grace',
  };
  expect(mergedAnswers(before, mine, current)).toEqual({
    answers: { site: 'https://mine.example', goal: 'many more', name: 'Ada L' },
    conflicts: [{ questionId: 'site', answer: 'https://theirs.example', by: 'Grace' }],
  });
});

test('the same answer from two people is no conflict', () => {
  const current = { answers: { a: 'yes' }, savedBy: 'Grace' };
  expect(mergedAnswers({}, { a: 'yes' }, current).conflicts).toEqual([]);
});

test('a question without an answer is reported only if it is required', () => {
  const questions = [
    { ...question, id: 'a', label: 'A', kind: 'short_text' as const },
    { ...question, id: 'b', label: 'B', kind: 'file' as const },
    { ...question, id: 'c', label: 'C', kind: 'date' as const, required: false },
  ];
  expect(requiredUnanswered(questions, { a: 'here', b: [] }).map(({ id }) => id)).toEqual(['b']);
});

test('an answer of only spaces is no answer', () => {
  expect(answerFault({ kind: 'short_text', required: true }, '  ')).toBe('Please answer this question.');
});

test('an address must be a whole URL, and a required question must be answered', () => {
  expect(answerFault({ kind: 'url', required: true }, 'example')).toMatch(/https:/);
  expect(answerFault({ kind: 'url', required: true }, 'javascript:alert(1)')).toMatch(/https:/);
  expect(answerFault({ kind: 'url', required: true }, 'https://example.com')).toBeUndefined();
  expect(answerFault({ kind: 'choices', required: true }, [])).toBe('Choose an answer.');
  expect(answerFault({ kind: 'long_text', required: false }, '')).toBeUndefined();
});

test.each([
  ['example.com', 'https://example.com'],
  [' www.example.co.uk/shop ', 'https://www.example.co.uk/shop'],
  ['münchen.de', 'https://münchen.de'],
  ['हिन्दी.com', 'https://हिन्दी.com'],
  ['example.com:8080/shop', 'https://example.com:8080/shop'],
  ['http://example.com', 'http://example.com'],
  ['no idea', 'no idea'],
])('completing the address %s gives %s', (typed, address) => {
  expect(completeAddress(typed)).toBe(address);
});
