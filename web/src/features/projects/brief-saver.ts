import type { Brief, BriefAnswers } from '#libs/contracts';
import { callApi, type Problem } from '../../lib/api.js';
import { createIdempotencyKeys } from '../../lib/form.js';
import { dropDraft, keepDraft, readDraft } from '../../workspace/drafts.js';
import { type AnswerConflict, changesOf, mergedAnswers } from '../../workspace/projects/brief-draft.js';
import { isTemporary } from '../../workspace/query.js';

export interface BriefState {
  stored: Brief;
  answers: BriefAnswers;
  /** Somebody else has changed these answers while they were changed here. */
  conflicts: readonly AnswerConflict[];
  problem: Problem | undefined;
  saving: boolean;
}

/** A save is repeated if somebody else has saved meanwhile, or if answers were changed here during the request. */
const maxAttempts = 5;

/** True if the same answers may be saved later, for example when the site can be reached or the person has signed in again. */
export const canBeRetried = (problem: Problem): boolean => problem.status === 401 || isTemporary(problem);

/**
 * Keeps unsaved answers in this browser under `key`. When somebody else has saved meanwhile, their answers are merged with those that were typed or
 * kept here.
 */
export class BriefSaver {
  state: BriefState;
  private readonly listeners = new Set<() => void>();
  private lastCall: Promise<unknown> | undefined;
  private readonly completionKeyFor = createIdempotencyKeys();

  constructor(
    brief: Brief,
    private readonly projectId: string,
    private readonly key: string,
  ) {
    const merged = mergedAnswers(readAnswers(replacedKey(key)), readAnswers(key), brief);
    this.state = { stored: brief, ...merged, problem: undefined, saving: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  change(questionId: string, answer: BriefAnswers[string]): void {
    this.dismissConflict(questionId);
    const { answers, problem } = this.state;
    this.set({
      answers: { ...answers, [questionId]: answer },
      problem: problem && canBeRetried(problem) ? problem : undefined,
    });
  }

  /** Keeps the answer that was typed here. */
  dismissConflict(questionId: string): void {
    this.set({ conflicts: this.state.conflicts.filter((one) => one.questionId !== questionId) });
  }

  /** Resolves with whether everything is saved. */
  save(): Promise<boolean> {
    this.set({ saving: true });
    return this.inTurn(() => this.saveChanges());
  }

  /** Completes the brief, and sends unsaved answers along. Resolves with the problem if the completion failed. */
  complete(): Promise<Problem | undefined> {
    return this.inTurn(() => this.sendCompletion());
  }

  /** Calls are made one after the other: a save during the completion would look like a change by somebody else. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const previousCall = this.lastCall ?? Promise.resolve();
    const call = previousCall.then(work).finally(() => {
      if (this.lastCall !== call) return;
      this.lastCall = undefined;
      this.set({ saving: false });
    });
    this.lastCall = call;
    return call;
  }

  private async sendCompletion(): Promise<Problem | undefined> {
    const body = { answers: this.unsavedAnswers() };
    const ifVersion = this.state.stored.version;
    const answer = await callApi('POST /project/:id/brief/completion', {
      params: { id: this.projectId },
      ...{ body, ifVersion, idempotencyKey: this.completionKeyFor({ ...body, ifVersion }) },
    });
    if (answer.ok) {
      this.set({ stored: answer.value, answers: answer.value.answers });
      return undefined;
    }
    const { status, current } = answer.problem;
    if (current) this.merge(current);
    if (status !== 412 || !current || current.completedAt) return answer.problem;
    return {
      ...answer.problem,
      sentence: 'Someone else has changed answers in the meantime. Take another look, then send them again.',
    };
  }

  private unsavedAnswers(): BriefAnswers {
    return changesOf(this.state.stored.answers, this.state.answers);
  }

  private async saveChanges(): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const answers = this.unsavedAnswers();
      if (Object.keys(answers).length === 0) return true;
      const answer = await callApi('PUT /project/:id/brief', {
        params: { id: this.projectId },
        body: { answers },
        ifVersion: this.state.stored.version,
      });
      if (answer.ok) {
        this.set({ stored: answer.value, problem: undefined });
        continue;
      }
      const { status, current } = answer.problem;
      if (current) this.merge(current);
      if (status !== 412 || !current) {
        this.set({ problem: answer.problem });
        return false;
      }
    }
    return Object.keys(this.unsavedAnswers()).length === 0;
  }

  private merge(current: Brief): void {
    const { stored, answers, conflicts } = this.state;
    const merged = mergedAnswers(stored.answers, answers, current);
    const isNew = (questionId: string) => merged.conflicts.some((one) => one.questionId === questionId);
    this.set({
      stored: current,
      answers: merged.answers,
      conflicts: [...conflicts.filter(({ questionId }) => !isNew(questionId)), ...merged.conflicts],
      problem: undefined,
    });
  }

  /** Also keeps the unsaved answers in this browser, and notifies the listeners. */
  private set(values: Partial<BriefState>): void {
    this.state = { ...this.state, ...values };
    const unsaved = this.unsavedAnswers();
    const { answers } = this.state.stored;
    keepAnswers(this.key, unsaved);
    keepAnswers(
      replacedKey(this.key),
      Object.fromEntries(Object.keys(unsaved).map((id) => [id, answers[id] ?? ''])),
    );
    this.listeners.forEach((listener) => listener());
  }
}

/**
 * The draft under this key holds the server's answers that the unsaved answers under `key` replace. When the screen is opened again, a comparison
 * with the server's current answers shows what somebody else has changed.
 */
const replacedKey = (key: string) => `${key}:replaced`;

/** The draft holds each answer as JSON under the id of its question. */
function readAnswers(key: string): BriefAnswers {
  const values = readDraft(key, new Date())?.values ?? {};
  try {
    return Object.fromEntries(
      Object.entries(values).map(([id, json]) => [id, JSON.parse(json) as BriefAnswers[string]]),
    );
  } catch {
    return {};
  }
}

/** Without answers, the draft is deleted. */
function keepAnswers(key: string, answers: BriefAnswers): void {
  const values = Object.fromEntries(
    Object.entries(answers).map(([id, answer]) => [id, JSON.stringify(answer)]),
  );
  if (Object.keys(values).length === 0) dropDraft(key);
  else keepDraft(key, { values, version: null }, new Date());
}
