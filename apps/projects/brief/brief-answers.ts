import { validate as isUuid } from 'uuid';
import {
  type BriefAnswers,
  type BriefQuestion,
  type FieldError,
  projectLimits,
  type QuestionKind,
} from '#libs/contracts';

type Answer = BriefAnswers[string];

const isList = (kind: QuestionKind) => kind === 'choices' || kind === 'file';

const isEmpty = (answer: Answer | undefined) =>
  answer === undefined || (typeof answer === 'string' ? answer.trim() === '' : answer.length === 0);

export function countAnswered(questions: readonly BriefQuestion[], answers: BriefAnswers): number {
  return questions.filter(({ id }) => !isEmpty(answers[id])).length;
}

export function fileIdsIn(questions: readonly BriefQuestion[], answers: BriefAnswers): string[] {
  const listed = questions.flatMap(({ id, kind }) => (kind === 'file' ? (answers[id] ?? []) : []));
  return [...new Set(listed)];
}

/** Why answers cannot be saved even as a draft. */
export function draftErrors(questions: readonly BriefQuestion[], answers: BriefAnswers): FieldError[] {
  const asked = new Map(questions.map((question) => [question.id, question]));
  return Object.entries(answers).flatMap(([id, answer]) => {
    const field = `answers.${id}`;
    const question = asked.get(id);
    if (!question) return { field, message: 'is not a question of this brief' };
    if (isList(question.kind) !== Array.isArray(answer))
      return { field, message: isList(question.kind) ? 'must be a list' : 'must be text' };
    if (question.kind === 'file' && ![answer].flat().every((file) => isUuid(file)))
      return { field, message: 'must be files that you have uploaded' };
    return [];
  });
}

/** Why a brief cannot be completed, for answers without `draftErrors`. */
export function completionErrors(questions: readonly BriefQuestion[], answers: BriefAnswers): FieldError[] {
  return questions.flatMap((question) => {
    const answer = answers[question.id];
    const message = isEmpty(answer)
      ? question.required
        ? 'is required'
        : undefined
      : problemWith(question, answer!);
    return message === undefined ? [] : { field: `answers.${question.id}`, message };
  });
}

function problemWith({ kind, options }: BriefQuestion, answer: Answer): string | undefined {
  const texts = [answer].flat();
  const text = texts[0] ?? '';
  switch (kind) {
    case 'short_text':
      return text.length > projectLimits.shortAnswer
        ? `must have at most ${projectLimits.shortAnswer} characters`
        : undefined;
    case 'long_text':
    case 'file':
      return undefined;
    case 'url':
      return isWebAddress(text.trim()) ? undefined : 'must be an address like https://example.com';
    case 'date':
      return isDay(text) ? undefined : 'must be a day like 2026-11-21';
    case 'choice':
      return options.includes(text) ? undefined : 'must be one of the options';
    case 'choices':
      if (new Set(texts).size < texts.length) return 'must not contain an option twice';
      return texts.every((one) => options.includes(one)) ? undefined : 'must be some of the options';
  }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text);
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().startsWith(text)
  );
}
