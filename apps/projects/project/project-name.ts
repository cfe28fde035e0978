import type { ProjectEntity } from './project.entity.js';

/** What a project is called in the audit log. */
export const projectName = ({ number, title }: ProjectEntity) => `#${number}, ${title}`;
