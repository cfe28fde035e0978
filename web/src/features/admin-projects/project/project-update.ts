import type { StaffProject } from '#libs/contracts';
import type { RequestOf } from '../../../lib/api.js';

/** The body of the request: of the parts that staff can edit, only those that change. */
export type ProjectUpdate = RequestOf<'PUT /staff-project/:id'>['body'];

const idsOf = ({ assignees }: StaffProject) => assignees.map(({ accountId }) => accountId);

/** An update that gives the parts in `wanted` the values that they have in `project`. */
export function updateBackTo(project: StaffProject, wanted: ProjectUpdate): ProjectUpdate {
  const { title, dueOn, labels } = project;
  const all = { title, dueOn, labels, assignees: idsOf(project) };
  return Object.fromEntries(Object.entries(all).filter(([part]) => part in wanted));
}

/** Returns an update that changes `newer` as the given update changes `opened`. In lists, it keeps what others have added or removed. */
export function mergedUpdate(
  newer: StaffProject,
  opened: StaffProject,
  { labels, assignees, ...rest }: ProjectUpdate,
): ProjectUpdate {
  return {
    ...rest,
    ...(labels && { labels: withListChanges(newer.labels, opened.labels, labels) }),
    ...(assignees && { assignees: withListChanges(idsOf(newer), idsOf(opened), assignees) }),
  };
}

/** False if the change would overwrite a title or a date that somebody else has changed. */
export const canMerge = (
  newer: StaffProject,
  opened: StaffProject,
  { title, dueOn }: ProjectUpdate,
): boolean =>
  (title === undefined || newer.title === opened.title) &&
  (dueOn === undefined || newer.dueOn === opened.dueOn);

/** Adds to `list` what only `to` contains, and removes what only `from` contains. */
function withListChanges(list: readonly string[], from: readonly string[], to: readonly string[]): string[] {
  // If nobody else has changed the list, it becomes `to`, so that undoing a change also restores the order.
  if (list.length === from.length && list.every((one, index) => one === from[index])) return [...to];
  const kept = list.filter((one) => to.includes(one) || !from.includes(one));
  return [...new Set([...kept, ...to.filter((one) => !from.includes(one))])];
}
