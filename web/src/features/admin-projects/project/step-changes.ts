import type { ChecklistItem } from '#libs/contracts';
import { moved } from '../list-order.js';

export type Step = ChecklistItem & {
  /** Not stored yet. */
  isNew?: boolean;
};

/** One change of a checklist. It is applied to the shown steps at once, and to the newest stored steps when it is saved. */
export type ChecklistChange = (steps: readonly Step[]) => Step[];

export const ticking =
  (id: string, done: Step['done']): ChecklistChange =>
  (steps) =>
    steps.map((step) => (step.id === id ? { ...step, done } : step));

/** Adds a step at `index`, or at the end. Does nothing if the list has the step: it may be stored already while the change is still pending. */
export const adding =
  (step: Step, index?: number): ChecklistChange =>
  (steps) => {
    if (steps.some(({ id }) => id === step.id)) return [...steps];
    const at = index ?? steps.length;
    return [...steps.slice(0, at), step, ...steps.slice(at)];
  };

export const removing =
  (id: string): ChecklistChange =>
  (steps) =>
    steps.filter((step) => step.id !== id);

/**
 * Moves a step directly before or after another one. Does nothing if one of the two is missing, or if the step is already there: the stored list may
 * contain a move that is still pending.
 */
export const placing =
  (id: string, side: 'before' | 'after', otherId: string): ChecklistChange =>
  (steps) => {
    const from = steps.findIndex((step) => step.id === id);
    const other = steps.findIndex((step) => step.id === otherId);
    if (from < 0 || other < 0) return [...steps];
    const to = side === 'before' ? other : other + 1;
    return moved(steps, from, from < to ? to - 1 : to);
  };

/** For steps that were added in this browser: maps the stored id to the local one, which the step keeps here. */
export type LocalIds = Readonly<Record<string, string>>;

export const withLocalIds = (steps: readonly Step[], localIds: LocalIds): Step[] =>
  steps.map((step) => ({ ...step, id: localIds[step.id] ?? step.id }));

/** The steps as the server gets them: with stored ids, and without an id for a step that is not stored yet. */
export function itemsOf(steps: readonly Step[], localIds: LocalIds = {}) {
  const storedIds = new Map(Object.entries(localIds).map(([storedId, localId]) => [localId, storedId]));
  return steps.map(({ id, text, done, isNew }) => ({
    ...(!isNew && { id: storedIds.get(id) ?? id }),
    text,
    done: done !== null,
  }));
}

/** `stored` has the steps of `sent` in the same order. */
export const newLocalIds = (sent: readonly Step[], stored: readonly ChecklistItem[]): LocalIds =>
  Object.fromEntries(
    sent.flatMap(({ id, isNew }, index) => {
      const storedId = stored[index]?.id;
      return isNew && storedId !== undefined ? [[storedId, id]] : [];
    }),
  );
