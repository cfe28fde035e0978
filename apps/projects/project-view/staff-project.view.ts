import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { StaffProject } from '#libs/contracts';
import { Clock, utcDay } from '#libs/runtime';
import { dueStates } from '../lifecycle/project-state.js';
import { ProjectAssigneeRepository } from '../project/project-assignee.repository.js';
import type { ProjectEntity } from '../project/project.entity.js';
import { StaffService } from '../staff/staff.service.js';
import { ProjectFieldsService } from './project-fields.service.js';

@Injectable()
export class StaffProjectView {
  constructor(
    private readonly fields: ProjectFieldsService,
    private readonly assignees: ProjectAssigneeRepository,
    private readonly staff: StaffService,
    private readonly clock: Clock,
  ) {}

  async toViews(
    projects: readonly ProjectEntity[],
    reader: { accountId: string },
    manager?: EntityManager,
  ): Promise<StaffProject[]> {
    const fields = await this.fields.list(projects, { accountId: reader.accountId, side: 'staff' }, manager);
    const assignees = await this.assignees.listByProject(
      projects.map(({ id }) => id),
      manager,
    );
    const staff = await this.staff.withNames([...assignees.values()].flat(), manager);
    const staffById = new Map(staff.map((one) => [one.accountId, one]));
    const today = utcDay(this.clock.now());
    return projects.map((project, index) => ({
      ...fields[index]!,
      accountId: project.accountId,
      customerName: project.customerName,
      customerEmail: project.customerEmail,
      packageName: project.packageName,
      assignees: (assignees.get(project.id) ?? []).map((one) => staffById.get(one.accountId)!),
      labels: project.labels,
      checklist: project.checklist.map(({ id, text, done }) => ({
        id,
        text,
        // Without `accountId`, which is not part of the API.
        done: done && { by: done.by, at: done.at },
      })),
      overdue: isOverdue(project, today),
      version: project.version,
    }));
  }

  async toView(
    project: ProjectEntity,
    reader: { accountId: string },
    manager?: EntityManager,
  ): Promise<StaffProject> {
    const [view] = await this.toViews([project], reader, manager);
    return view!;
  }
}

const isOverdue = ({ state, dueOn }: ProjectEntity, today: string) =>
  dueOn !== null && dueOn < today && (dueStates as readonly string[]).includes(state);
