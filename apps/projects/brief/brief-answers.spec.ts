import { describe, expect, test } from '@jest/globals';
import type { BriefQuestion } from '#libs/contracts';
import { countAnswered, filesIn } from './brief-answers.js';

const question = (id: string, kind: BriefQuestion['kind']): BriefQuestion => ({
  ...{ id, label: id, help: '', kind, required: false, options: [] },
});

describe('answers of a brief', () => {
  const questions = [question('name', 'short_text'), question('goals', 'choices'), question('logo', 'file')];

  test('are counted if they are not empty', () => {
    expect(countAnswered(questions, {})).toBe(0);
    expect(countAnswered(questions, { name: '  ', goals: [], logo: ['a'] })).toBe(1);
    expect(countAnswered(questions, { name: 'Ada', goals: ['Fame'], other: 'x' })).toBe(2);
  });

  test('have their files listed once each, and only those of questions that ask for files', () => {
    expect(
      filesIn([...questions, question('more', 'file')], { name: 'x', logo: ['a', 'b'], more: ['b'] }),
    ).toEqual(['a', 'b']);
  });
});
