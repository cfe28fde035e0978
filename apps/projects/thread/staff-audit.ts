import type { AuditedChange } from '#libs/database';
import { projectName } from '../project/project-name.js';
import type { ProjectEntity } from '../project/project.entity.js';

/** The audit log’s entry about a message or note that staff wrote, changed or deleted. It has no text, because the author may delete that. */
export function staffAudit(project: ProjectEntity, after: Record<string, string>): AuditedChange {
  const { id: recordId } = project;
  return { section: 'project', recordId, name: projectName(project), change: 'updated', before: {}, after };
}
