import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Project } from '#libs/contracts';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectFieldsService } from './project-fields.service.js';

@Injectable()
export class CustomerProjectView {
  constructor(private readonly fields: ProjectFieldsService) {}

  async toViews(
    projects: readonly ProjectEntity[],
    { accountId }: { accountId: string },
    manager?: EntityManager,
  ): Promise<Project[]> {
    const fields = await this.fields.list(projects, { accountId, side: 'customer' }, manager);
    return projects.map((project, index) => ({
      ...fields[index]!,
      role: project.accountId === accountId ? 'owner' : 'member',
      version: project.versionForCustomer,
    }));
  }

  async toView(
    project: ProjectEntity,
    reader: { accountId: string },
    manager?: EntityManager,
  ): Promise<Project> {
    const [view] = await this.toViews([project], reader, manager);
    return view!;
  }
}
