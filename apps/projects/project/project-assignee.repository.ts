import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { ProjectAssigneeEntity } from './project-assignee.entity.js';

/** The table `project_assignees`. */
@Injectable()
export class ProjectAssigneeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The people of each project, sorted by their addresses. */
  async of(
    projectIds: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, ProjectAssigneeEntity[]>> {
    const found = await manager.find(ProjectAssigneeEntity, {
      where: { projectId: In(projectIds) },
      order: { email: 'ASC', accountId: 'ASC' },
    });
    const people = new Map<string, ProjectAssigneeEntity[]>();
    for (const one of found) people.set(one.projectId, [...(people.get(one.projectId) ?? []), one]);
    return people;
  }

  async replace(
    tx: EntityManager,
    projectId: string,
    people: readonly Omit<ProjectAssigneeEntity, 'projectId'>[],
  ): Promise<void> {
    await tx.delete(ProjectAssigneeEntity, { projectId });
    await tx.insert(
      ProjectAssigneeEntity,
      people.map(({ accountId, email }) => ({ projectId, accountId, email })),
    );
  }
}
