import type {
  Deliverable,
  Project,
  ProjectFile,
  ProjectState,
  ThreadMessage,
  ThreadNote,
} from '#libs/contracts';
import { counted, formatDay } from '../formats.js';
import type { StatusText } from '../orders/words.js';

const customerStates: Record<ProjectState, StatusText> = {
  waiting_for_brief: { tone: 'waiting', text: 'Waiting for your answers' },
  in_progress: { tone: 'quiet', text: 'In progress' },
  delivered: { tone: 'waiting', text: 'Ready to review' },
  changes_requested: { tone: 'quiet', text: 'Changes requested' },
  accepted: { tone: 'good', text: 'Accepted' },
  on_hold: { tone: 'quiet', text: 'On hold' },
  closed: { tone: 'quiet', text: 'Closed' },
};

const staffStates: Record<ProjectState, StatusText> = {
  waiting_for_brief: { tone: 'quiet', text: 'Waiting for brief' },
  in_progress: { tone: 'waiting', text: 'In progress' },
  delivered: { tone: 'quiet', text: 'Delivered' },
  changes_requested: { tone: 'fault', text: 'Changes requested' },
  accepted: { tone: 'good', text: 'Accepted' },
  on_hold: { tone: 'quiet', text: 'On hold' },
  closed: { tone: 'quiet', text: 'Closed' },
};

export function projectStateText(state: ProjectState, side: 'customer' | 'staff'): StatusText {
  return side === 'staff' ? staffStates[state] : customerStates[state];
}

/** If the newest deliverable is `replaced`, it was withdrawn: by staff, or because the next month of the plan was paid. */
export function deliverableStateText(
  state: Deliverable['state'],
  side: 'customer' | 'staff',
  isNewest: boolean,
): StatusText {
  switch (state) {
    case 'delivered':
      return { tone: 'waiting', text: 'Waiting for review' };
    case 'accepted':
      return { tone: 'good', text: 'Accepted' };
    case 'changes_requested':
      return { tone: side === 'staff' ? 'fault' : 'quiet', text: 'Changes requested' };
    case 'replaced':
      return { tone: 'quiet', text: isNewest ? 'Withdrawn' : 'Replaced by a newer delivery' };
  }
}

export function briefStep(unanswered: number): string {
  return unanswered > 0
    ? `Answer ${counted(unanswered, 'question')} so that we can begin`
    : 'Send your answers so that we can begin';
}

/** Tells the customer what happens next. */
export function whatHappensNext({ state, brief, dueOn, reason }: Project): string {
  switch (state) {
    case 'waiting_for_brief':
      return `${briefStep(brief ? brief.questions - brief.answered : 0)}.`;
    case 'in_progress':
      return dueOn
        ? `We’re working on it, and plan to deliver by ${formatDay(dueOn)}.`
        : 'We’re working on it.';
    case 'delivered':
      return 'Take a look at what we delivered, then accept it or ask for changes.';
    case 'changes_requested':
      return 'We’re working on the changes that you asked for.';
    case 'accepted':
      return 'You accepted the work. There’s nothing left to do.';
    case 'on_hold':
      return reason ?? 'We’ve paused the work.';
    case 'closed':
      return reason ?? 'This project is closed.';
  }
}

const units = ['bytes', 'KB', 'MB', 'GB'] as const;

/** `3_400_000` → `'3.4 MB'`. */
export function fileSize(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size >= 9.95 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** 'PDF' for `audit.pdf`; 'File' if there is no extension of at most five characters. */
export function fileKind(name: string): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  return extension ? extension.toUpperCase() : 'File';
}

export function blockedReason({ state }: Pick<ProjectFile, 'state'>): string | undefined {
  if (state === 'scanning') return 'Being checked for viruses. You can download it in a moment.';
  return state === 'infected' ? 'Blocked, because it contains a virus.' : undefined;
}

export const deletedText = ({ kind }: ThreadMessage | ThreadNote): string => `This ${kind} was deleted.`;

/** 'AL' for 'Ada Lovelace'. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase();
}
