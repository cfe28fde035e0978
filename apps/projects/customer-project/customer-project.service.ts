import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type HandlerInputs,
  type Output,
  type PageOf,
  type Project,
  projectContract,
  type ProjectSummary,
} from '#libs/contracts';
import { Handles, type RequestContext } from '#libs/transport';
import { personOf, ProjectAccess } from '../access/project-access.js';
import { BriefRepository } from '../brief/brief.repository.js';
import type { DeliverableEntity } from '../deliverable/deliverable.entity.js';
import { DeliverableRepository } from '../deliverable/deliverable.repository.js';
import { EntryRepository } from '../entry/entry.repository.js';
import { stepIn } from '../lifecycle/project-state.js';
import { CustomerProjectView } from '../project-view/customer-project.view.js';
import { ProjectAssigneeRepository } from '../project/project-assignee.repository.js';
import { ProjectRepository } from '../project/project.repository.js';
import { TeamMemberRepository } from '../team-member/team-member.repository.js';
import { CustomerProjectRepository } from './customer-project.repository.js';

type Input = HandlerInputs<typeof projectContract>;

@Injectable()
export class CustomerProjectService {
  constructor(
    private readonly access: ProjectAccess,
    private readonly customerProjects: CustomerProjectRepository,
    private readonly projects: ProjectRepository,
    private readonly briefs: BriefRepository,
    private readonly deliverables: DeliverableRepository,
    private readonly entries: EntryRepository,
    private readonly assignees: ProjectAssigneeRepository,
    private readonly members: TeamMemberRepository,
    private readonly view: CustomerProjectView,
  ) {}

  @Handles(projectContract.listProjects)
  async list(selection: Input['listProjects'], { actor }: RequestContext): Promise<PageOf<Project>> {
    const { items, ...page } = await this.customerProjects.list(
      await this.access.ownerIdsFor(actor),
      selection,
    );
    return { ...page, items: await this.view.toViews(items, personOf(actor)) };
  }

  @Handles(projectContract.getProjectSummary)
  async summary(_: Input['getProjectSummary'], { actor }: RequestContext): Promise<ProjectSummary> {
    const ownerIds = await this.access.ownerIdsFor(actor);
    const [counts, waiting] = await Promise.all([
      this.customerProjects.count(ownerIds, personOf(actor).accountId),
      this.customerProjects.listWaiting(ownerIds),
    ]);
    const expected = waiting.map(({ id, title, number, state, unansweredQuestions, deliverable }) => ({
      ...{ projectId: id, title, number, step: stepIn(state)! },
      ...(state === 'delivered'
        ? { questions: 0, deliverable }
        : { questions: unansweredQuestions, deliverable: null }),
    }));
    return { ...counts, expected };
  }

  @Handles(projectContract.getProject)
  async get({ id }: Input['getProject'], { actor }: RequestContext): Promise<Project> {
    const { project, person } = await this.access.forCustomer(actor, id);
    return this.view.toView(project, person);
  }

  @Handles(projectContract.getForMail)
  async forMail({ projectId }: Input['getForMail']): Promise<Output<typeof projectContract.getForMail>> {
    const project = await this.projects.find(projectId);
    if (!project) throw new DomainError('NOT_FOUND');
    const [brief, newest] = [
      await this.briefs.find(project.id),
      await this.deliverables.findNewest(project.id),
    ];
    const assignees = (await this.assignees.listByProject([project.id])).get(project.id) ?? [];
    const { id: _id, accountId, number, title, state, customerName, reason, dueOn } = project;
    return {
      ...{ _id, accountId, number, title, state, customerName, dueOn },
      questions: brief ? brief.questions - brief.answered : 0,
      // An admin can set the order to Delivered without a new deliverable. The newest one may then be withdrawn or decided.
      deliverable: newest?.state === 'delivered' ? newest.text : null,
      reason: state === 'changes_requested' ? await this.requestedChanges(project.id, newest) : reason,
      assignees: assignees.map(({ email }) => email),
      assigneeAccountIds: assignees.map((assignee) => assignee.accountId),
      members: await this.members.accountIdsIn(accountId, 'member'),
    };
  }

  /** If a deliverable was waiting for a decision, it has the reason. Its event has it, too, unless the event is older than the column `reason`. */
  private async requestedChanges(
    projectId: string,
    newest: DeliverableEntity | null,
  ): Promise<string | null> {
    const event = await this.entries.findNewestEvent(projectId, 'changes_requested');
    return (event?.deliverableId ? newest : event)?.reason ?? null;
  }
}
