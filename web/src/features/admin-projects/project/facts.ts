import type { StaffProject } from '#libs/contracts';
import type { RequestOf } from '../../../lib/api.js';

/** The facts that staff can edit, as they are sent. */
export type Facts = RequestOf<'PUT /staff-project/:id'>['body'];

const idsOf = ({ assignees }: StaffProject) => assignees.map(({ accountId }) => accountId);

/** The project's values of those facts that `wanted` contains. */
export function factsOf(project: StaffProject, wanted: Facts): Facts {
  const { title, dueOn, labels } = project;
  const all = { title, dueOn, labels, assignees: idsOf(project) };
  return Object.fromEntries(Object.entries(all).filter(([fact]) => fact in wanted));
}

/** What to send to make the same change to `newer` that leads from `opened` to the given facts. Lists keep what others changed in them. */
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

/** False if the change would overwrite a title or a date that somebody else has changed. */
export const canMerge = (newer: StaffProject, opened: StaffProject, { title, dueOn }: Facts): boolean =>
  (title === undefined || newer.title === opened.title) &&
  (dueOn === undefined || newer.dueOn === opened.dueOn);

/** Adds to `list` what only `to` contains, and removes what only `from` contains. */
function withListChanges(list: readonly string[], from: readonly string[], to: readonly string[]): string[] {
  // If nobody else has changed the list, undoing a change also restores its order.
  if (list.length === from.length && list.every((one, index) => one === from[index])) return [...to];
  const kept = list.filter((one) => to.includes(one) || !from.includes(one));
  return [...new Set([...kept, ...to.filter((one) => !from.includes(one))])];
}
