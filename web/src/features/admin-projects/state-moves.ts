import type { ProjectState, StaffProject } from '#libs/contracts';

/**
 * The states that staff can ask for. Resuming does not always lead to `in_progress`. A project that was put on hold or closed while it was
 * `waiting_for_brief` goes back to that state. So does one that was put on hold while it was `delivered`.
 */
export type MoveTo = 'in_progress' | 'on_hold' | 'closed';

export interface Move {
  to: MoveTo;
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

/** Until the customer has decided, a newer version replaces what was handed over. */
export const canHandOver = ({ state }: Pick<StaffProject, 'state'>): boolean =>
  state === 'in_progress' || state === 'changes_requested' || state === 'delivered';
