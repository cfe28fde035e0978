/* No schemas here, because screens in the browser load this file. */

/** For how long authors can change messages and notes. */
export const editableMs = 15 * 60_000;

export const fileLimits = {
  /** Per file. */
  bytes: 200 * 1024 * 1024,
  projectBytes: 5 * 1024 * 1024 * 1024,
  projectFiles: 2_000,
  /** Per message, note or deliverable. */
  attached: 20,
};

/** `members` includes the people who are invited, even if the invitation has expired. */
export const teamLimits = { members: 20, invitationDays: 7 };

/** `links` is per project, and `days` is the longest time for which a link is valid. */
export const reportLinkLimits = { links: 20, days: 365 };

/** `options` is per question. */
export const templateLimits = { questions: 40, options: 30, checklist: 50, deliveryDays: 365 };

/** `labelLength` and `shortAnswer` are in characters. */
export const projectLimits = { labels: 10, labelLength: 40, assignees: 10, checklist: 50, shortAnswer: 500 };

/** The columns of the project board, in this order. The board leaves out projects in other states. */
export const boardStates = [
  'waiting_for_brief',
  'in_progress',
  'changes_requested',
  'delivered',
  'on_hold',
] as const;
export const maxProjectsPerBoardColumn = 50;
