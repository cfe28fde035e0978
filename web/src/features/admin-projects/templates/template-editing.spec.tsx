/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { type ProjectTemplate, templateLimits } from '#libs/contracts';
import { draftKey, keepDraft } from '../../../workspace/drafts.js';
import { openScreen } from '../../../workspace/open-screen.js';
import { UndoOffers } from '../../../workspace/UndoOffers.js';
import { Questions } from './Questions.js';
import { Steps } from './Steps.js';
import { TemplateConflict } from './TemplateConflict.js';
import { TemplateEditor } from './TemplateEditor.js';
import type { TemplateForm } from './template-form.js';
import { type TemplateValues, valuesOf } from './template-values.js';

const template: ProjectTemplate = {
  ...{ _id: '019a0000-0000-7000-8000-000000000001', packageName: 'Basic', onOffer: true, olderProjects: 0 },
  questions: [
    { id: 'goal', label: 'Which goal?', help: '', kind: 'choice', required: false, options: ['A', 'B'] },
  ],
  checklist: ['Crawl', 'Write', 'Review'],
  ...{ deliveryDays: 10, introduction: '', welcome: '', updatedAt: null, version: 1 },
};

afterEach(cleanup);

function Checklist() {
  const [values, setValues] = useState<TemplateValues>(valuesOf(template));
  const form = { values, change: (part: object) => setValues({ ...values, ...part }) };
  return <Steps form={form as TemplateForm} />;
}

test('removing a step moves the focus to a neighbouring step, or to the button that adds one if no step is left', () => {
  render(<Checklist />);
  const remove = (name: string) => {
    const button = screen.getByRole('button', { name: `Remove ‘${name}’` });
    button.focus();
    fireEvent.click(button);
  };
  remove('Crawl');
  expect((document.activeElement as HTMLInputElement).value).toBe('Write');
  remove('Review');
  expect((document.activeElement as HTMLInputElement).value).toBe('Write');
  remove('Write');
  expect(document.activeElement?.textContent).toBe('Add a step');
});

function FullBrief() {
  const questions = Array.from({ length: templateLimits.questions }, (_, index) => ({
    ...template.questions[0]!,
    ...{ id: `question-${index}`, label: `Question ${index}` },
  }));
  const [values, setValues] = useState<TemplateValues>(valuesOf({ ...template, questions }));
  const change = (part: object) => setValues({ ...values, ...part });
  const form = { values, change, errors: {}, openQuestions: [], setQuestionOpen: () => undefined };
  return (
    <>
      <Questions form={form as unknown as TemplateForm} />
      <UndoOffers />
    </>
  );
}

test('a removed question cannot be added back once another has taken the last place', async () => {
  openScreen(FullBrief, () => undefined);
  fireEvent.click(screen.getByRole('button', { name: 'Remove ‘Question 3’' }));
  fireEvent.click(screen.getByRole('button', { name: 'Add a question' }));
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Undo' })));
  await screen.findByText('A brief has at most 40 questions, so this one can’t be added back.');
  expect(screen.queryByRole('heading', { name: 'Question 3' })).toBeNull();
});

test('a conflict shows the help and the options of a question, and whether it is required', () => {
  const mine = valuesOf({
    ...template,
    questions: [{ ...template.questions[0]!, help: 'One of them', required: true, options: ['A', 'C'] }],
    deliveryDays: 1,
  });
  const conflict = { current: template, mine, before: valuesOf(template) };
  const choices = { resolve: async () => undefined, edit: () => undefined };
  render(<TemplateConflict conflict={{ ...conflict, ...choices }} saving={false} />);
  const shown = (name: string) => [
    ...screen.getByRole('group', { name }).querySelectorAll('.conflict__value'),
  ];
  expect(shown('Questions').map(({ textContent }) => textContent)).toEqual([
    '1. Which goal?\nOne of several options, required\nOne of them\n– A\n– C',
    '1. Which goal?\nOne of several options\n– A\n– B',
  ]);
  expect(shown('Delivery time').map(({ textContent }) => textContent)).toEqual(['1 day', '10 days']);
});

test('a conflict shows a delivery time as it was typed, even if it is not a number', () => {
  const current = { ...template, deliveryDays: null };
  const mine = { ...valuesOf(current), deliveryDays: 'ten' };
  const conflict = { current, mine, before: valuesOf(current) };
  const choices = { resolve: async () => undefined, edit: () => undefined };
  render(<TemplateConflict conflict={{ ...conflict, ...choices }} saving={false} />);
  const group = screen.getByRole('group', { name: 'Delivery time' });
  expect(group.querySelector('.conflict__value')?.textContent).toBe('ten');
});

test('the form stays when all that somebody typed into a new template is deleted again', async () => {
  const key = draftKey('ada', 'project-template', template._id);
  keepDraft(key, { values: { template: '{"welcome":"Hello"}' }, version: 0 }, new Date());
  const newTemplate = { ...template, version: 0, questions: [], checklist: [], deliveryDays: null };
  openScreen(
    () => <TemplateEditor Frame={({ children }) => children} />,
    () => Response.json(newTemplate),
    { path: '/:id', at: `/${template._id}` },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Restore draft' }));
  const welcome = screen.getByLabelText<HTMLTextAreaElement>(/^Welcome message/);
  expect(welcome.value).toBe('Hello');
  fireEvent.change(welcome, { target: { value: '' } });
  expect(screen.getByLabelText(/^Welcome message/)).toBe(welcome);
});
