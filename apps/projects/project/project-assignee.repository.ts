import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { ProjectAssigneeEntity } from './project-assignee.entity.js';

@Injectable()
export class ProjectAssigneeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By project id, sorted by e-mail address. Projects without assignees are left out. */
  async listByProject(
    projectIds: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, ProjectAssigneeEntity[]>> {
    const found = await manager.find(ProjectAssigneeEntity, {
      where: { projectId: In(projectIds) },
      order: { email: 'ASC', accountId: 'ASC' },
    });
    const byProject = new Map<string, ProjectAssigneeEntity[]>();
    for (const one of found) byProject.set(one.projectId, [...(byProject.get(one.projectId) ?? []), one]);
    return byProject;
  }

  async replace(
    tx: EntityManager,
    projectId: string,
    assignees: readonly Omit<ProjectAssigneeEntity, 'projectId'>[],
  ): Promise<void> {
    await tx.delete(ProjectAssigneeEntity, { projectId });
    await tx.insert(
      ProjectAssigneeEntity,
      assignees.map(({ accountId, email }) => ({ projectId, accountId, email })),
    );
  }
}
