import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Project } from '#libs/contracts';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectFieldsService } from './project-fields.service.js';

@Injectable()
export class CustomerProjectView {
  constructor(private readonly fields: ProjectFieldsService) {}

  async of(
    projects: readonly ProjectEntity[],
    { accountId }: { accountId: string },
    manager?: EntityManager,
  ): Promise<Project[]> {
    const fields = await this.fields.of(projects, { accountId, side: 'customer' }, manager);
    return projects.map((project, index) => ({
      ...fields[index]!,
      role: project.accountId === accountId ? 'owner' : 'member',
      version: project.clientVersion,
    }));
  }

  async one(
    project: ProjectEntity,
    reader: { accountId: string },
    manager?: EntityManager,
  ): Promise<Project> {
    const [view] = await this.of([project], reader, manager);
    return view!;
  }
}
