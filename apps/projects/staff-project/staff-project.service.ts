import { Injectable } from '@nestjs/common';
import {
  type HandlerInputs,
  type Output,
  type PageOf,
  projectContract,
  type StaffProject,
} from '#libs/contracts';
import { Clock, utcDay } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { personOf, ProjectAccess } from '../access/project-access.js';
import { StaffProjectView } from '../project-view/staff-project.view.js';
import { type Viewer, StaffProjectRepository } from './staff-project.repository.js';

type Input = HandlerInputs<typeof projectContract>;

@Injectable()
export class StaffProjectService {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: StaffProjectRepository,
    private readonly view: StaffProjectView,
    private readonly clock: Clock,
  ) {}

  @Handles(projectContract.listStaffProjects)
  async list(selection: Input['listStaffProjects'], context: RequestContext): Promise<PageOf<StaffProject>> {
    const { items, ...page } = await this.projects.list(selection, this.viewer(context));
    return { ...page, items: await this.view.toViews(items, personOf(context.actor)) };
  }

  @Handles(projectContract.getProjectBoard)
  async board(
    filter: Input['getProjectBoard'],
    context: RequestContext,
  ): Promise<Output<typeof projectContract.getProjectBoard>> {
    const columns = await this.projects.board(filter, this.viewer(context));
    const all = columns.flatMap(({ projects }) => projects);
    const views = new Map(
      (await this.view.toViews(all, personOf(context.actor))).map((project) => [project._id, project]),
    );
    return columns.map(({ state, total, projects }) => ({
      state,
      total,
      projects: projects.map(({ id }) => views.get(id)!),
    }));
  }

  @Handles(projectContract.getStaffProjectSummary)
  summary(
    _: Input['getStaffProjectSummary'],
    context: RequestContext,
  ): Promise<Output<typeof projectContract.getStaffProjectSummary>> {
    return this.projects.summary(this.viewer(context));
  }

  @Handles(projectContract.getStaffProject)
  async get({ id }: Input['getStaffProject'], { actor }: RequestContext): Promise<StaffProject> {
    const { project, person } = await this.access.forStaff(actor, id);
    return this.view.toView(project, person);
  }

  private viewer({ actor }: RequestContext): Viewer {
    return { accountId: personOf(actor).accountId, today: utcDay(this.clock.now()) };
  }
}
