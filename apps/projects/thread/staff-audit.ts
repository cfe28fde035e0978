import type { AuditedChange } from '#libs/database';
import { projectName } from '../project/project-name.js';
import type { ProjectEntity } from '../project/project.entity.js';

/**
 * The audit entry of a change by staff. `after` must not contain the text of a message or note: its author can delete the text, but not from the
 * audit log.
 */
export function staffAudit(project: ProjectEntity, after: Record<string, string>): AuditedChange {
  const { id: recordId } = project;
  return { section: 'project', recordId, name: projectName(project), change: 'updated', before: {}, after };
}
