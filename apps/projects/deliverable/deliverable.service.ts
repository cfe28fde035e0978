import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Deliverable,
  DomainError,
  type HandlerInputs,
  type Output,
  projectContract,
  type ProjectFile,
} from '#libs/contracts';
import { AuditTrail, Inbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { AuthorService } from '../access/author.service.js';
import { ProjectAccess } from '../access/project-access.js';
import { FileRepository } from '../file/file.repository.js';
import { LifecycleService, type StateChange } from '../lifecycle/lifecycle.service.js';
import { canDeliver } from '../lifecycle/project-state.js';
import { CustomerProjectView } from '../project-view/customer-project.view.js';
import { StaffProjectView } from '../project-view/staff-project.view.js';
import { projectName } from '../project/project-name.js';
import { DeliverableEntity } from './deliverable.entity.js';
import { DeliverableRepository } from './deliverable.repository.js';

type Input = HandlerInputs<typeof projectContract>;

interface Decision {
  state: 'accepted' | 'changes_requested';
  reason: string | null;
  /** What the thread says after the person's name. */
  words: string;
}

@Injectable()
export class DeliverableService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly access: ProjectAccess,
    private readonly authors: AuthorService,
    private readonly deliverables: DeliverableRepository,
    private readonly files: FileRepository,
    private readonly lifecycle: LifecycleService,
    private readonly customerView: CustomerProjectView,
    private readonly staffView: StaffProjectView,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  @Handles(projectContract.listDeliverables)
  async listForCustomer(
    { id }: Input['listDeliverables'],
    { actor }: RequestContext,
  ): Promise<Deliverable[]> {
    const { project } = await this.access.forCustomer(actor, id);
    return this.list(project.id);
  }

  @Handles(projectContract.listStaffDeliverables)
  async listForStaff(
    { id }: Input['listStaffDeliverables'],
    { actor }: RequestContext,
  ): Promise<Deliverable[]> {
    const { project } = await this.access.forStaff(actor, id);
    return this.list(project.id);
  }

  @Handles(projectContract.deliver)
  deliver(
    { id, ifVersion, text, files, links }: Input['deliver'],
    context: RequestContext,
  ): Promise<Output<typeof projectContract.deliver>> {
    return this.inbox.once(context, async (tx) => {
      const access = await this.access.forStaff(context.actor, id, tx);
      const { project, person } = access;
      const view = () => this.staffView.toView(project, person, tx);
      if (ifVersion !== undefined && ifVersion !== project.version)
        throw new DomainError('VERSION_MISMATCH', { current: await view() });
      if (!canDeliver(project.state)) throw new DomainError('INVALID_TRANSITION', { current: await view() });
      const author = await this.authors.ofStaff(access, tx);
      await this.deliverables.withdraw(tx, project.id);
      const newest = await this.deliverables.findNewest(project.id, tx);
      const deliverable = Object.assign(new DeliverableEntity(), {
        ...{ id: uuidv7(), projectId: project.id, number: (newest?.number ?? 0) + 1, text, links },
        ...{ deliveredAt: this.clock.now(), deliveredBy: author.name, deliveredByAccount: author.accountId },
      });
      await this.deliverables.insert(tx, deliverable);
      await this.files.attach(tx, files, {
        ...{ projectId: project.id, accountId: author.accountId, side: 'staff' },
        ...{ to: 'deliverable', attachedToId: deliverable.id },
      });
      const change = {
        ...{ to: 'delivered', cause: 'staff', by: author, what: 'delivered' },
        ...{ text: `${author.name} handed over the work.`, deliverableId: deliverable.id },
      } satisfies StateChange;
      const before = { state: project.state };
      await this.lifecycle.change(tx, project, change, context);
      await this.audit.record(tx, context.actor, {
        ...{ section: 'project', recordId: project.id, name: projectName(project), change: 'updated' },
        ...{ before, after: { state: project.state, delivered: text } },
      });
      return { record: await view(), modified: true };
    });
  }

  @Handles(projectContract.acceptWork)
  accept(target: Input['acceptWork'], context: RequestContext) {
    return this.decide(target, context, { state: 'accepted', reason: null, words: 'accepted the work' });
  }

  @Handles(projectContract.requestChanges)
  requestChanges({ reason, ...target }: Input['requestChanges'], context: RequestContext) {
    const words = 'asked for changes';
    return this.decide(target, context, { state: 'changes_requested', reason, words });
  }

  /** `forCustomer` locks the project, so a second decision waits, and then finds that the project is no longer `delivered`. */
  private decide(
    { id, ifVersion }: Input['acceptWork'],
    context: RequestContext,
    { state, reason, words }: Decision,
  ): Promise<Output<typeof projectContract.acceptWork>> {
    return this.inbox.once(context, async (tx) => {
      const access = await this.access.forCustomer(context.actor, id, tx);
      const { project, person } = access;
      const view = () => this.customerView.toView(project, person, tx);
      if (ifVersion !== undefined && ifVersion !== project.versionForCustomer)
        throw new DomainError('VERSION_MISMATCH', { current: await view() });
      if (project.state !== 'delivered')
        throw new DomainError('INVALID_TRANSITION', { current: await view() });
      const author = await this.authors.ofCustomer(access, tx);
      // Null if the project is `delivered` only because an admin set the order to Delivered.
      const deliverable = await this.deliverables.findUndecided(tx, project.id);
      if (deliverable) await this.storeDecision(tx, deliverable, { state, reason, ...decidedBy(author) });
      // If there is a deliverable, it shows the reason.
      const ending = reason === null || deliverable ? '.' : `: ${reason}`;
      const text = `${author.name} ${words}${ending}`;
      const change = {
        ...{ to: state, cause: 'customer', by: author, what: state, text, reason },
        ...(deliverable && { deliverableId: deliverable.id }),
      } satisfies StateChange;
      await this.lifecycle.change(tx, project, change, context);
      return { record: await view(), modified: true };
    });
  }

  private storeDecision(
    tx: EntityManager,
    deliverable: DeliverableEntity,
    decision: Partial<DeliverableEntity>,
  ): Promise<void> {
    return this.deliverables.update(tx, deliverable, { ...decision, decidedAt: this.clock.now() });
  }

  private async list(projectId: string): Promise<Deliverable[]> {
    const found = await this.deliverables.list(projectId);
    const files = await this.files.viewsOf(
      this.dataSource.manager,
      found.map(({ id }) => id),
    );
    return found.map((deliverable) => deliverableView(deliverable, files.get(deliverable.id) ?? []));
  }
}

const decidedBy = ({ name, accountId }: { name: string; accountId: string }) => ({
  decidedBy: name,
  decidedByAccount: accountId,
});

function deliverableView(deliverable: DeliverableEntity, files: ProjectFile[]): Deliverable {
  const { id, number, text, links, state, deliveredBy, decidedBy: by, reason } = deliverable;
  return {
    ...{ _id: id, number, text, files, links, state, deliveredBy, decidedBy: by, reason },
    decidedAt: deliverable.decidedAt?.toISOString() ?? null,
    createdAt: deliverable.deliveredAt.toISOString(),
  };
}
