import type { ChecklistItem } from '#libs/contracts';
import { moved } from '../list-order.js';

/** An item as it is shown, before it may be stored. */
export type Step = ChecklistItem & {
  /** Not stored yet. */
  isNew?: boolean;
};

/** A change of the list, which can be made to a newer list, too. */
export type ListChange = (steps: readonly Step[]) => Step[];

export const ticked =
  (id: string, done: Step['done']): ListChange =>
  (steps) =>
    steps.map((step) => (step.id === id ? { ...step, done } : step));

/** A step that is there already stays in its place: the stored list may have it before the change counts as made. */
export const added =
  (step: Step, index?: number): ListChange =>
  (steps) => {
    if (steps.some(({ id }) => id === step.id)) return [...steps];
    const at = index ?? steps.length;
    return [...steps.slice(0, at), step, ...steps.slice(at)];
  };

export const removed =
  (id: string): ListChange =>
  (steps) =>
    steps.filter((step) => step.id !== id);

/** Moves a step by one place; by places of the list that it is made to. */
export const movedBy =
  (id: string, by: number): ListChange =>
  (steps) => {
    const from = steps.findIndex((step) => step.id === id);
    return from < 0 ? [...steps] : moved(steps, from, from + by);
  };

/** The ids that new steps have here, by the id with which they were stored. */
export type GivenIds = Readonly<Record<string, string>>;

/** The stored steps, with the ids that they have here. */
export const withGivenIds = (steps: readonly Step[], given: GivenIds): Step[] =>
  steps.map((step) => ({ ...step, id: given[step.id] ?? step.id }));

/** As it is sent: with the stored ids, and without one for a step that is not stored yet. */
export function itemsOf(steps: readonly Step[], given: GivenIds = {}) {
  const storedIds = new Map(Object.entries(given).map(([stored, here]) => [here, stored]));
  return steps.map(({ id, text, done, isNew }) => ({
    ...(!isNew && { id: storedIds.get(id) ?? id }),
    text,
    done: done !== null,
  }));
}

/** The ids of the new ones of the steps that were sent, by the ids with which they came back. */
export const newIds = (sent: readonly Step[], stored: readonly ChecklistItem[]): GivenIds =>
  Object.fromEntries(
    sent.flatMap(({ id, isNew }, index) => {
      const storedId = stored[index]?.id;
      return isNew && storedId !== undefined ? [[storedId, id]] : [];
    }),
  );
