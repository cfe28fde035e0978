import type { OrderStatus, ProjectState, ProjectStep } from '#libs/contracts';
import { addSeconds, utcDay } from '#libs/runtime';

/** Neither accepted nor closed. */
export const openStates = [
  'waiting_for_brief',
  'in_progress',
  'delivered',
  'changes_requested',
  'on_hold',
] as const satisfies readonly ProjectState[];

/** States in which a project can be overdue. */
export const dueStates = [
  'waiting_for_brief',
  'in_progress',
  'changes_requested',
] as const satisfies readonly ProjectState[];

/** What the customer has to do next; null for nothing. */
export function stepIn(state: ProjectState): ProjectStep | null {
  if (state === 'waiting_for_brief') return 'answer_brief';
  return state === 'delivered' ? 'review' : null;
}

/** Null if the state does not change the orders' status. */
export function orderStatusIn(state: ProjectState): OrderStatus | null {
  switch (state) {
    case 'delivered':
    case 'accepted':
      return 'Delivered';
    case 'waiting_for_brief':
    case 'in_progress':
    case 'changes_requested':
      return 'Pending';
    case 'on_hold':
    case 'closed':
      return null;
  }
}

/** The project’s state or, if it is on hold or closed, the last state in which it was neither. */
export function stateToReturnTo({
  state,
  stateBefore,
}: {
  state: ProjectState;
  stateBefore: Exclude<ProjectState, 'closed' | 'on_hold'> | null;
}): Exclude<ProjectState, 'closed' | 'on_hold'> {
  if (state === 'on_hold' || state === 'closed') return stateBefore ?? 'in_progress';
  return state;
}

/**
 * The new state of a project that staff start, resume or reopen; undefined if it is in progress already. After a hold, it waits again for the brief
 * or for the decision on delivered work, if it did before. After it was closed, it can wait again only for the brief. Otherwise it is in progress.
 */
export function stateAfterResuming(project: Parameters<typeof stateToReturnTo>[0]): ProjectState | undefined {
  const before = stateToReturnTo(project);
  const { state } = project;
  if (state === 'in_progress') return undefined;
  if (state === 'on_hold' && before === 'delivered') return before;
  const isInterrupted = state === 'on_hold' || state === 'closed';
  return isInterrupted && before === 'waiting_for_brief' ? before : 'in_progress';
}

/** Also while the project is on hold, so that staff can change the reason. */
export const canBeHeld = (state: ProjectState) => state !== 'accepted' && state !== 'closed';

/** Also while a deliverable is undecided: the new one replaces it. */
export const canDeliver = (state: ProjectState) =>
  state === 'in_progress' || state === 'changes_requested' || state === 'delivered';

/** The calendar day (UTC) this many days after `from`; null if `days` is null. */
export function dueAfter(from: Date, days: number | null): string | null {
  if (days === null) return null;
  return utcDay(addSeconds(from, days * 24 * 60 * 60));
}

const words: Record<ProjectState, string> = {
  waiting_for_brief: 'is waiting for answers to the questions',
  in_progress: 'is in progress',
  delivered: 'is delivered',
  changes_requested: 'needs changes',
  accepted: 'is accepted',
  on_hold: 'is on hold',
  closed: 'is closed',
};

export const sentenceOf = (state: ProjectState) => `The project ${words[state]}.`;
