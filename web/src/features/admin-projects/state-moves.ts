import type { ProjectState, StaffProject } from '#libs/contracts';

/**
 * The states that staff can ask for. Asking for `in_progress` leads back to `waiting_for_brief` if the project was in that state before it was put
 * on hold or closed, unless the brief was completed since. It leads back to `delivered` if the project was in that state before it was put on hold.
 */
export type TargetState = 'in_progress' | 'on_hold' | 'closed';

export interface Move {
  to: TargetState;
  /** The button's label. */
  text: string;
  /** A dialog asks for a reason, which the customer can read. */
  withReason: boolean;
}

const hold: Move = { to: 'on_hold', text: 'Put on hold…', withReason: true };
const close: Move = { to: 'closed', text: 'Close…', withReason: true };
const toInProgress = (text: string): Move => ({ to: 'in_progress', text, withReason: false });

/** Handing over work is not among them, because it needs a deliverable. */
const moves: Record<ProjectState, readonly Move[]> = {
  waiting_for_brief: [toInProgress('Start without the brief'), hold, close],
  in_progress: [hold, close],
  changes_requested: [toInProgress('Resume work'), hold, close],
  delivered: [toInProgress('Withdraw delivery and resume work'), hold, close],
  accepted: [toInProgress('Resume work'), close],
  on_hold: [toInProgress('Resume'), close],
  closed: [toInProgress('Reopen')],
};

export const movesFrom = (state: ProjectState): readonly Move[] => moves[state];

/** Also while the customer has not decided yet: the newer version replaces what was handed over. */
export const canHandOver = ({ state }: Pick<StaffProject, 'state'>): boolean =>
  state === 'in_progress' || state === 'changes_requested' || state === 'delivered';
