import { describe, expect, test } from '@jest/globals';
import { type ProjectTemplateInput, projectTemplateInput } from '#libs/contracts';
import { suggestedTemplate } from './suggested-template.js';
import {
  elementIdOf,
  errorsOf,
  isSameTemplate,
  newQuestion,
  newStep,
  templateOf,
  type TemplateValues,
  valuesOf,
} from './template-values.js';

const template: ProjectTemplateInput = {
  questions: [
    { id: 'site', label: 'Which site?', help: '', kind: 'url', required: true, options: [] },
    { id: 'goal', label: 'Which goal?', help: 'One', kind: 'choice', required: false, options: ['A', 'B'] },
  ],
  checklist: ['Crawl the site', 'Write the report'],
  deliveryDays: 10,
  introduction: 'A few questions.',
  welcome: 'Welcome.',
};
const values = valuesOf(template);
const withQuestion = (change: Partial<TemplateValues['questions'][number]>): TemplateValues => ({
  ...values,
  questions: [{ ...newQuestion(), id: 'new', label: 'Why?', ...change }],
});

test('a stored template that nobody has edited is sent back unchanged', () => {
  expect(templateOf(values)).toEqual(template);
  expect(isSameTemplate(values, valuesOf(template))).toBe(true);
});

test.each([
  ['', 'ten'],
  // The second has the letter O instead of a zero.
  ['10', '1O'],
  ['ten', 'eleven'],
  ['', 'Infinity'],
])('the delivery times %j and %j are different, whether or not they can be saved', (before, after) => {
  const typed = (deliveryDays: string) => ({ ...values, deliveryDays });
  expect(isSameTemplate(typed(before), typed(after))).toBe(false);
  expect(isSameTemplate(typed(after), typed(after))).toBe(true);
});

test('spaces around texts, empty steps and empty options are not sent, and blank delivery days are sent as null', () => {
  const typed: TemplateValues = {
    ...withQuestion({ label: ' Why? ', kind: 'choices', options: ' A \n\n B' }),
    checklist: [newStep(' Crawl '), newStep()],
    deliveryDays: ' ',
  };
  expect(templateOf(typed)).toMatchObject({
    questions: [{ label: 'Why?', options: ['A', 'B'] }],
    checklist: ['Crawl'],
    deliveryDays: null,
  });
});

test('options are not sent while the question is of a kind without options', () => {
  expect(templateOf(withQuestion({ kind: 'date', options: 'A\nB' })).questions[0]?.options).toEqual([]);
});

describe('a template is refused with', () => {
  test.each([
    ['a question without a text', withQuestion({ label: ' ' }), 'question-new-label'],
    ['a question with one option', withQuestion({ kind: 'choice', options: 'A\n' }), 'question-new-options'],
    [
      'a question with the same option twice',
      withQuestion({ kind: 'choice', options: 'A\nA' }),
      'question-new-options',
    ],
    ['a delivery time of zero days', { ...values, deliveryDays: '0' }, 'deliveryDays'],
    ['a delivery time of more than a year', { ...values, deliveryDays: '366' }, 'deliveryDays'],
    ['a delivery time with a fraction of a day', { ...values, deliveryDays: '1.5' }, 'deliveryDays'],
  ])('%s', (_, typed, elementId) => {
    expect(Object.keys(errorsOf(typed))).toEqual([elementId]);
  });
});

test('the name that the server gives a field is translated into the id of its element', () => {
  expect(elementIdOf('questions.1.options.0', values)).toBe('question-goal-options');
  expect(elementIdOf('introduction', values)).toBe('introduction');
});

test('the template that is suggested to admins can be saved as it is', () => {
  expect(errorsOf(suggestedTemplate())).toEqual({});
  expect(projectTemplateInput.safeParse(templateOf(suggestedTemplate())).success).toBe(true);
});
