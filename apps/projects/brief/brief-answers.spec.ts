import { describe, expect, test } from '@jest/globals';
import type { BriefAnswers, BriefQuestion } from '#libs/contracts';
import { completionErrors, countAnswered, draftErrors, fileIdsIn } from './brief-answers.js';

const question = (
  id: string,
  kind: BriefQuestion['kind'],
  rest: Partial<BriefQuestion> = {},
): BriefQuestion => ({
  ...{ id, label: id, help: '', kind, required: false, options: [] },
  ...rest,
});

describe('answers of a brief', () => {
  const questions = [question('name', 'short_text'), question('goals', 'choices'), question('logo', 'file')];

  test('are counted if they are not empty and belong to a question of the brief', () => {
    expect(countAnswered(questions, {})).toBe(0);
    expect(countAnswered(questions, { name: '  ', goals: [], logo: ['a'] })).toBe(1);
    expect(countAnswered(questions, { name: 'Ada', goals: ['Fame'], other: 'x' })).toBe(2);
  });

  test('contain files only for questions that ask for files; a file that is named twice is listed once', () => {
    expect(
      fileIdsIn([...questions, question('more', 'file')], { name: 'x', logo: ['a', 'b'], more: ['b'] }),
    ).toEqual(['a', 'b']);
  });
});

describe('a draft is refused', () => {
  const questions = [question('name', 'short_text'), question('goals', 'choices'), question('logo', 'file')];

  test.each([
    [{ other: 'x' }, 'answers.other', 'is not a question of this brief'],
    [{ name: ['Ada'] }, 'answers.name', 'must be text'],
    [{ goals: 'Fame' }, 'answers.goals', 'must be a list'],
    [{ logo: ['a.png'] }, 'answers.logo', 'must be files that you have uploaded'],
  ])('for %j', (answers, field, message) => {
    expect(draftErrors(questions, answers)).toEqual([{ field, message }]);
  });

  test('for nothing else: answers may be empty, or not among the options', () => {
    const logo = ['0192f0c1-2345-7abc-8def-0123456789ab'];
    expect(draftErrors(questions, { name: '', goals: ['unknown'], logo })).toEqual([]);
  });
});

describe('a brief', () => {
  const options = ['Fame', 'Sales'];
  const questionsOf = (kind: BriefQuestion['kind']) => [question('a', kind, { options })];

  test.each([
    ['short_text', 'x'.repeat(501), 'must have at most 500 characters'],
    ['url', 'example.com', 'must be an address like https://example.com'],
    ['url', 'javascript:alert(1)', 'must be an address like https://example.com'],
    ['url', 'https:example.com', 'must be an address like https://example.com'],
    ['date', '2026-02-30', 'must be a day like 2026-11-21'],
    ['date', '21.11.2026', 'must be a day like 2026-11-21'],
    ['choice', 'Luck', 'must be one of the options'],
    ['choices', ['Fame', 'Luck'], 'must be some of the options'],
    ['choices', ['Fame', 'Fame'], 'must not contain an option twice'],
  ] as const)('cannot be completed with a %s of %j', (kind, answer, message) => {
    const answers = { a: typeof answer === 'string' ? answer : [...answer] };
    expect(completionErrors(questionsOf(kind), answers)).toEqual([{ field: 'answers.a', message }]);
  });

  test.each(['short_text', 'file', 'choices'] as const)('is incomplete without a required %s', (kind) => {
    const required = questionsOf(kind).map((one) => ({ ...one, required: true }));
    for (const answers of [{}, { a: kind === 'short_text' ? ' ' : [] }] as BriefAnswers[])
      expect(completionErrors(required, answers)).toEqual([{ field: 'answers.a', message: 'is required' }]);
  });

  test.each([
    ['short_text', 'x'.repeat(500)],
    ['long_text', 'x'.repeat(501)],
    ['url', ' HTTPS://example.com '],
    ['date', '2028-02-29'],
    ['choice', 'Sales'],
    ['choices', ['Sales', 'Fame']],
    ['url', ''],
  ] as const)('can be completed with a %s of %j', (kind, answer) => {
    const answers = { a: typeof answer === 'string' ? answer : [...answer] };
    expect(completionErrors(questionsOf(kind), answers)).toEqual([]);
  });
});
