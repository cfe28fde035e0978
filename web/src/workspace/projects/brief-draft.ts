import type { Brief, BriefAnswers, BriefQuestion } from '#libs/contracts';

type Answer = BriefAnswers[string];

export const isAnswered = (answer: Answer | undefined): boolean =>
  answer !== undefined && (typeof answer === 'string' ? answer.trim() : answer).length > 0;

/** An empty text, an empty list and no answer are the same. */
function isSame(a: Answer | undefined, b: Answer | undefined): boolean {
  return JSON.stringify(isAnswered(a) ? a : null) === JSON.stringify(isAnswered(b) ? b : null);
}

export function changesOf(stored: BriefAnswers, mine: BriefAnswers): BriefAnswers {
  return Object.fromEntries(Object.entries(mine).filter(([id, answer]) => !isSame(stored[id], answer)));
}

/** Somebody else has changed an answer while it was changed here. */
export interface AnswerConflict {
  questionId: string;
  /** The other person's answer. */
  answer: Answer;
  /** Who saved the brief last, usually the person who gave this answer. */
  by: string | null;
}

/**
 * Merges what somebody else has saved meanwhile (`current`) with what was changed here since `before`. An answer that was changed here stays. If the
 * other person has answered differently, their answer is returned as a conflict.
 */
export function mergedAnswers(
  before: BriefAnswers,
  mine: BriefAnswers,
  current: Pick<Brief, 'answers' | 'savedBy'>,
): { answers: BriefAnswers; conflicts: AnswerConflict[] } {
  const changed = changesOf(before, mine);
  const conflicts = Object.keys(changed)
    .filter((id) => !isSame(before[id], current.answers[id]) && !isSame(current.answers[id], mine[id]))
    .map((id) => ({ questionId: id, answer: current.answers[id] ?? '', by: current.savedBy }));
  return { answers: { ...current.answers, ...changed }, conflicts };
}

export function requiredUnanswered(
  questions: readonly BriefQuestion[],
  answers: BriefAnswers,
): BriefQuestion[] {
  return questions.filter(({ id, required }) => required && !isAnswered(answers[id]));
}

/** What is wrong with the answer, as far as the browser can tell; undefined if nothing is. */
export function answerFault(
  { kind, required }: Pick<BriefQuestion, 'kind' | 'required'>,
  answer: Answer | undefined,
): string | undefined {
  if (!isAnswered(answer)) {
    if (!required) return undefined;
    if (kind === 'file') return 'Add at least one file.';
    return kind === 'choice' || kind === 'choices' ? 'Choose an answer.' : 'Please answer this question.';
  }
  if (kind === 'url' && typeof answer === 'string' && !isAddress(answer))
    return 'Enter an address like https://example.com.';
  return undefined;
}

function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text.trim()).protocol);
  } catch {
    return false;
  }
}

/** Adds the scheme that people often leave out: 'example.com' → 'https://example.com'. */
export function completeAddress(text: string): string {
  const typed = text.trim();
  return /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)+(:\d+)?([/?#].*)?$/u.test(typed)
    ? `https://${typed}`
    : typed;
}
