import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Project } from '#libs/contracts';
import type { BriefEntity } from '../brief/brief.entity.js';
import { BriefRepository } from '../brief/brief.repository.js';
import type { Side } from '../entry/reader.entity.js';
import { ReaderRepository } from '../entry/reader.repository.js';
import { stepIn } from '../lifecycle/project-state.js';
import { ProjectOrderRepository } from '../project/project-order.repository.js';
import type { ProjectEntity } from '../project/project.entity.js';

export type ProjectFields = Omit<Project, 'role' | 'version'>;

@Injectable()
export class ProjectFieldsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: ProjectOrderRepository,
    private readonly briefs: BriefRepository,
    private readonly readers: ReaderRepository,
  ) {}

  /** In the order of `projects`. */
  async list(
    projects: readonly ProjectEntity[],
    reader: { accountId: string; side: Side },
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProjectFields[]> {
    const ids = projects.map(({ id }) => id);
    // One after the other, because a transaction has one connection.
    const orders = await this.orders.listNewest(ids, manager);
    const briefs = await this.briefs.listByProject(ids, manager);
    const unread = await this.readers.countUnread(reader, ids, manager);
    return projects.map((project) => ({
      ...fieldsOf(project),
      orders: orders.get(project.id) ?? [],
      brief: briefFacts(briefs.get(project.id)),
      unread: unread.get(project.id) ?? 0,
    }));
  }
}

function fieldsOf(project: ProjectEntity) {
  return {
    _id: project.id,
    number: project.number,
    title: project.title,
    state: project.state,
    step: stepIn(project.state),
    subscriptionId: project.subscriptionId,
    dueOn: project.dueOn,
    reason: project.reason,
    activeAt: project.activeAt.toISOString(),
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  };
}

function briefFacts(brief: BriefEntity | undefined): Project['brief'] {
  if (!brief) return null;
  const { questions, answered, completedAt } = brief;
  return { questions, answered, completedAt: completedAt?.toISOString() ?? null };
}
