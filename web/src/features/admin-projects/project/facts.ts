import type { StaffProject } from '#libs/contracts';
import type { RequestOf } from '../../../lib/api.js';

/** The facts of a project that staff can edit, as they are sent. */
export type Facts = RequestOf<'PUT /staff-project/:id'>['body'];

/** The facts of the project that `wanted` names. */
export function factsOf({ title, dueOn, labels, assignees }: StaffProject, wanted: Facts): Facts {
  const all = { title, dueOn, labels, assignees: assignees.map(({ accountId }) => accountId) };
  return Object.fromEntries(Object.entries(all).filter(([fact]) => fact in wanted));
}

/** What is to be sent so that only what differs between `opened` and `wanted` changes in a newer version of the project. */
export function withFactChanges(newer: StaffProject, opened: StaffProject, wanted: Facts): Facts {
  const [now, from] = [factsOf(newer, wanted), factsOf(opened, wanted)];
  return {
    ...wanted,
    ...(wanted.labels && { labels: withListChanges(now.labels!, from.labels!, wanted.labels) }),
    ...(wanted.assignees && {
      assignees: withListChanges(now.assignees!, from.assignees!, wanted.assignees),
    }),
  };
}

/** Whether that leaves what others have changed alone. A title or a date cannot be merged as lists can. */
export const isPossible = (newer: StaffProject, opened: StaffProject, { title, dueOn }: Facts): boolean =>
  (title === undefined || newer.title === opened.title) &&
  (dueOn === undefined || newer.dueOn === opened.dueOn);

/** Adds to a list what `to` has in addition to `from`, and removes what it lacks. */
function withListChanges(list: readonly string[], from: readonly string[], to: readonly string[]): string[] {
  // In the order of `to`, which is also the order before the change if this undoes it.
  if (list.length === from.length && list.every((one, index) => one === from[index])) return [...to];
  const kept = list.filter((one) => to.includes(one) || !from.includes(one));
  return [...new Set([...kept, ...to.filter((one) => !from.includes(one))])];
}
