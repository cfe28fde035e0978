import type { AuditedChange } from '#libs/database';
import { projectName } from '../project/project-name.js';
import type { ProjectEntity } from '../project/project.entity.js';

/** The entry of the audit log about what a member of staff wrote, without the text, which its author may delete. */
export function staffAudit(project: ProjectEntity, after: Record<string, string>): AuditedChange {
  const { id: recordId } = project;
  return { section: 'project', recordId, name: projectName(project), change: 'updated', before: {}, after };
}
