import type { ProjectState, StaffProject } from '#libs/contracts';

/**
 * The states that staff can ask for. If they ask for `in_progress`, the service can decide on another state: a project that was put on hold or closed
 * while it was in the state `waiting_for_brief` goes back to that state, and so does one that was put on hold in the state `delivered`.
 */
export type MoveTo = 'in_progress' | 'on_hold' | 'closed';

export interface Move {
  to: MoveTo;
  /** The button's label. */
  text: string;
  /** Whether a dialog asks for a reason, which the customer can read. */
  withReason: boolean;
}

const hold: Move = { to: 'on_hold', text: 'Put on hold…', withReason: true };
const close: Move = { to: 'closed', text: 'Close…', withReason: true };
const toInProgress = (text: string): Move => ({ to: 'in_progress', text, withReason: false });

/** The moves from each state. Handing over work is not among them, because it needs a deliverable. */
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

/** Whether work can be handed over now. Until the customer has decided, a newer version replaces what was handed over. */
export const canHandOver = ({ state }: Pick<StaffProject, 'state'>): boolean =>
  state === 'in_progress' || state === 'changes_requested' || state === 'delivered';
