import type { StaffProject } from '#libs/contracts';

/** `#1042` */
export const projectNumber = ({ number }: Pick<StaffProject, 'number'>): string => `#${number}`;

export const assigneesText = ({ assignees }: Pick<StaffProject, 'assignees'>): string =>
  assignees.map(({ name }) => name).join(', ') || 'Nobody';
