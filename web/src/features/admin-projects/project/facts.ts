import type { StaffProject } from '#libs/contracts';
import type { RequestOf } from '../../../lib/api.js';

/** The facts of a project that staff can edit, as they are sent. */
export type Facts = RequestOf<'PUT /staff-project/:id'>['body'];

const idsOf = ({ assignees }: StaffProject) => assignees.map(({ accountId }) => accountId);

/** The values that the facts in `wanted` have in the project. */
export function factsOf(project: StaffProject, wanted: Facts): Facts {
  const { title, dueOn, labels } = project;
  const all = { title, dueOn, labels, assignees: idsOf(project) };
  return Object.fromEntries(Object.entries(all).filter(([fact]) => fact in wanted));
}

/** What to send to make the change from `opened` to the given facts in a newer version of the project. Lists keep what others changed in them. */
export function mergedFacts(
  newer: StaffProject,
  opened: StaffProject,
  { labels, assignees, ...others }: Facts,
): Facts {
  return {
    ...others,
    ...(labels && { labels: withListChanges(newer.labels, opened.labels, labels) }),
    ...(assignees && { assignees: withListChanges(idsOf(newer), idsOf(opened), assignees) }),
  };
}

/** Whether the change can be merged into a newer version: not if it would overwrite a title or a date that somebody else has changed. */
export const canMerge = (newer: StaffProject, opened: StaffProject, { title, dueOn }: Facts): boolean =>
  (title === undefined || newer.title === opened.title) &&
  (dueOn === undefined || newer.dueOn === opened.dueOn);

/** Makes the change from `from` to `to` in another list: adds what only `to` contains, and removes what only `from` contains. */
function withListChanges(list: readonly string[], from: readonly string[], to: readonly string[]): string[] {
  // Nobody else has changed the list, so `to` is used as it is: undoing a change of the labels also restores their order.
  if (list.length === from.length && list.every((one, index) => one === from[index])) return [...to];
  const kept = list.filter((one) => to.includes(one) || !from.includes(one));
  return [...new Set([...kept, ...to.filter((one) => !from.includes(one))])];
}
