import {
  type BriefQuestion,
  type ProjectTemplateInput,
  type QuestionKind,
  templateLimits,
} from '#libs/contracts';
import { newIdempotencyKey } from '../../../lib/form.js';
import { daysFault } from '../days-fault.js';
import { hasOptions } from './words.js';

export interface QuestionValues {
  id: string;
  label: string;
  help: string;
  kind: QuestionKind;
  required: boolean;
  /** One on each line. Kept while the kind has no options, so that trying another kind loses nothing. */
  options: string;
}

interface StepValues {
  id: string;
  text: string;
}

export interface TemplateValues {
  questions: readonly QuestionValues[];
  checklist: readonly StepValues[];
  /** Empty for no due date. */
  deliveryDays: string;
  introduction: string;
  welcome: string;
}

/** 12 random hexadecimal digits. */
const newId = () => newIdempotencyKey().slice(0, 12);

export const newQuestion = (): QuestionValues => ({
  id: newId(),
  label: '',
  help: '',
  kind: 'short_text',
  required: false,
  options: '',
});

export const newStep = (text = ''): StepValues => ({ id: newId(), text });

export function valuesOf(template: ProjectTemplateInput): TemplateValues {
  const { questions, checklist, deliveryDays, introduction, welcome } = template;
  return {
    questions: questions.map((question) => ({ ...question, options: question.options.join('\n') })),
    // The same template always gets the same ids, so that reloading it changes nothing.
    checklist: checklist.map((text, index) => ({ id: String(index), text })),
    deliveryDays: deliveryDays === null ? '' : String(deliveryDays),
    introduction,
    welcome,
  };
}

const optionsOf = ({ kind, options }: QuestionValues): string[] =>
  hasOptions(kind)
    ? options
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    : [];

/** The template as it is sent: with trimmed texts, without empty steps and options, and without the options of a kind that has none. */
export function templateOf(values: TemplateValues): ProjectTemplateInput {
  const { questions, checklist, deliveryDays, introduction, welcome } = values;
  return {
    questions: questions.map((question): BriefQuestion => ({
      ...question,
      label: question.label.trim(),
      help: question.help.trim(),
      options: optionsOf(question),
    })),
    checklist: checklist.map(({ text }) => text.trim()).filter(Boolean),
    deliveryDays: deliveryDays.trim() === '' ? null : Number(deliveryDays),
    introduction: introduction.trim(),
    welcome: welcome.trim(),
  };
}

/** The template as it would be stored, for comparisons. A delivery time that is not a number stays as typed, because JSON would turn it into null. */
function comparable(values: TemplateValues): Record<keyof TemplateValues, unknown> {
  const template = templateOf(values);
  const { deliveryDays } = template;
  const isStorable = deliveryDays === null || Number.isFinite(deliveryDays);
  return isStorable ? template : { ...template, deliveryDays: values.deliveryDays };
}

export function isSamePart(a: TemplateValues, b: TemplateValues, name: keyof TemplateValues): boolean {
  return JSON.stringify(comparable(a)[name]) === JSON.stringify(comparable(b)[name]);
}

/** Whether both would be stored as the same template. */
export const isSameTemplate = (a: TemplateValues, b: TemplateValues): boolean =>
  JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));

export const changesOf = (before: TemplateValues, values: TemplateValues): Partial<TemplateValues> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof TemplateValues]),
    ),
  );

type QuestionField = 'label' | 'help' | 'kind' | 'options';

export const questionFieldId = (id: string, name: QuestionField): string => `question-${id}-${name}`;

/** One message for each invalid field, by the id of its element, in the order of the form. */
export function errorsOf({ questions, deliveryDays }: TemplateValues): Record<string, string> {
  const errors: Record<string, string> = {};
  const fault = daysFault(deliveryDays.trim(), templateLimits.deliveryDays);
  if (fault) errors.deliveryDays = fault;
  for (const question of questions) {
    if (question.label.trim() === '') errors[questionFieldId(question.id, 'label')] = 'Enter the question';
    const options = optionsOf(question);
    if (hasOptions(question.kind) && options.length < 2)
      errors[questionFieldId(question.id, 'options')] = 'Enter at least two options, each on its own line';
    else if (options.length > templateLimits.options)
      errors[questionFieldId(question.id, 'options')] = `Enter at most ${templateLimits.options} options`;
    else if (new Set(options).size < options.length)
      errors[questionFieldId(question.id, 'options')] = 'Two options are the same';
  }
  return errors;
}

/** The id of the element that an error from the server is about. The server names a question by its index. */
export function elementIdOf(field: string, { questions }: Pick<TemplateValues, 'questions'>): string {
  const [, index, name] = /^questions\.(\d+)\.(label|help|kind|options)/.exec(field) ?? [];
  const question = index === undefined ? undefined : questions[Number(index)];
  return question ? questionFieldId(question.id, name as QuestionField) : field;
}
