import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type BriefQuestion, projectOpened, type ProjectState } from '#libs/contracts';
import { type EventOrigin, Outbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { BriefEntity } from '../brief/brief.entity.js';
import { BriefRepository } from '../brief/brief.repository.js';
import { type Author, EntryRepository } from '../entry/entry.repository.js';
import { dueAfter, stepIn } from '../lifecycle/project-state.js';
import { ProjectOrderEntity } from '../project/project-order.entity.js';
import { ProjectOrderRepository } from '../project/project-order.repository.js';
import { ProjectEntity } from '../project/project.entity.js';
import { ProjectRepository } from '../project/project.repository.js';
import { SiteContentService } from '../site/site-content.service.js';
import type { ProjectTemplateEntity } from '../template/project-template.entity.js';
import { ProjectTemplateRepository } from '../template/project-template.repository.js';
import type { OrderFacts } from './orders.client.js';

/** What is read before the transaction that opens the project. */
export interface ProjectStart {
  packageId: string | null;
  template: ProjectTemplateEntity | null;
  subscriptionHasEnded: boolean;
  /** The order was paid more than a day before `ProjectCatchUp` found it, usually before the site had projects: nobody is notified or reminded. */
  isOld: boolean;
}

export interface NumberedOrder {
  facts: OrderFacts;
  number: number;
  /** When it was first paid. If no payment is known, when it was placed. */
  paidAt: Date;
}

@Injectable()
export class ProjectOpeningService {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly orders: ProjectOrderRepository,
    private readonly briefs: BriefRepository,
    private readonly templates: ProjectTemplateRepository,
    private readonly siteContent: SiteContentService,
    private readonly entries: EntryRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * The package on offer with this name, and its newest template version. If there is no such package, the package that had the name earlier, because
   * packages can be renamed. Null for what is not found.
   */
  async findPackageAndTemplate(packageName: string): Promise<Pick<ProjectStart, 'packageId' | 'template'>> {
    const offered = await this.siteContent.findPackage(packageName);
    const template = offered
      ? await this.templates.newest(offered.id)
      : await this.templates.newestOfPackageNamed(packageName);
    return { packageId: offered?.id ?? template?.packageId ?? null, template };
  }

  async open(
    tx: EntityManager,
    paidOrder: NumberedOrder,
    start: ProjectStart,
    origin: EventOrigin,
  ): Promise<void> {
    const { facts } = paidOrder;
    const { template, isOld } = start;
    const now = this.clock.now();
    const openedAt = isOld ? paidOrder.paidAt : now;
    const project = this.newProject(paidOrder, start, openedAt, now);
    await this.projects.insert(tx, project);
    await this.addOrder(tx, project, paidOrder);
    if (template && template.questions.length > 0) await this.briefs.insert(tx, briefOf(project, template));
    const by = await this.siteAuthor(tx);
    const text = `The project began with order #${project.number}.`;
    const { state } = project;
    await this.entries.append(tx, project, { kind: 'event', what: 'opened', state, by, at: openedAt, text });
    if (isOld || state === 'accepted' || state === 'closed') return;
    if (template?.welcome)
      await this.entries.append(tx, project, {
        ...{ kind: 'message', messageId: uuidv7(), by, at: openedAt, text: template.welcome },
      });
    const { id: projectId, version } = project;
    const { accountId } = facts;
    await this.outbox.append(
      tx,
      projectOpened,
      { projectId, accountId, version, step: stepIn(state) },
      origin,
    );
  }

  async addOrder(
    tx: EntityManager,
    project: ProjectEntity,
    { facts, number, paidAt }: NumberedOrder,
  ): Promise<void> {
    const order = Object.assign(new ProjectOrderEntity(), {
      ...{ orderId: facts._id, projectId: project.id, number, paidAt },
      ...{ orderStatus: facts.orderStatus, orderVersion: facts.version, statusVersion: facts.version },
    });
    await this.orders.insert(tx, order);
  }

  async siteAuthor(tx: EntityManager): Promise<Author> {
    return { side: 'system', accountId: null, name: await this.siteContent.getSiteName(tx) };
  }

  private newProject(
    { facts, number }: NumberedOrder,
    { packageId, template, subscriptionHasEnded, isOld }: ProjectStart,
    openedAt: Date,
    now: Date,
  ): ProjectEntity {
    const state = firstState(facts, template?.questions ?? [], subscriptionHasEnded);
    const deliveryDays = template?.deliveryDays ?? null;
    const checklist = (template?.checklist ?? []).map((text) => ({ id: uuidv7(), text, done: null }));
    return Object.assign(new ProjectEntity(), {
      ...{ id: uuidv7(), createdAt: openedAt, updatedAt: now, activeAt: openedAt, stateSince: openedAt },
      ...{ number, accountId: facts.accountId, customerName: facts.customerName },
      ...{ customerEmail: facts.customerEmail, packageId, packageName: facts.packageName },
      ...{ title: facts.packageName, subscriptionId: facts.renewal?.subscriptionId ?? null },
      subscriptionHasEnded,
      ...{ templateVersion: template?.version ?? null, deliveryDays, checklist, state },
      dueOn: state === 'in_progress' ? dueAfter(openedAt, deliveryDays) : null,
      remindedAt: isOld ? now : null,
      ...(state === 'closed' && {
        closedAutomatically: true,
        stateBefore: 'accepted',
        reason: planEndedReason,
      }),
    });
  }
}

export const planEndedReason = 'The monthly plan has ended.';

function firstState(
  { orderStatus }: OrderFacts,
  questions: readonly BriefQuestion[],
  subscriptionHasEnded: boolean,
): ProjectState {
  if (subscriptionHasEnded) return 'closed';
  if (orderStatus === 'Delivered') return 'accepted';
  return questions.length > 0 ? 'waiting_for_brief' : 'in_progress';
}

function briefOf(
  project: ProjectEntity,
  { packageId, version, questions }: ProjectTemplateEntity,
): BriefEntity {
  return Object.assign(new BriefEntity(), {
    ...{ projectId: project.id, packageId, templateVersion: version, questions: questions.length },
  });
}
