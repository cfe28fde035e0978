import type { StaffProject } from '#libs/contracts';
import { formatDay } from '../../workspace/formats.js';
import { Status } from '../../workspace/Status.js';

export function DueDate({
  project: { dueOn, overdue },
}: {
  project: Pick<StaffProject, 'dueOn' | 'overdue'>;
}) {
  if (!dueOn) return <span className="project-none">No due date</span>;
  return overdue ? (
    <Status tone="fault">{`Overdue: ${formatDay(dueOn)}`}</Status>
  ) : (
    <span className="unbroken">{formatDay(dueOn)}</span>
  );
}
