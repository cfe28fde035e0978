import type { AuditedChange } from '#libs/database';
import type { ProjectEntity } from '../project/project.entity.js';

/** The entry of the audit log about what a member of staff wrote, without the text, which its author may delete. */
export function staffAudit(
  { id: recordId, title: name }: Pick<ProjectEntity, 'id' | 'title'>,
  after: Record<string, string>,
): AuditedChange {
  return { section: 'project', recordId, name, change: 'updated', before: {}, after };
}
