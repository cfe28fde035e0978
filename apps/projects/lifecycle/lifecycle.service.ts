import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type EventPayload, type OrderStatus, type ProjectState, projectStateChanged } from '#libs/contracts';
import { type EventOrigin, Outbox } from '#libs/database';
import { Clock } from '#libs/runtime';
import { type Author, EntryRepository, type NewEvent } from '../entry/entry.repository.js';
import { ProjectOrderRepository } from '../project/project-order.repository.js';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectRepository } from '../project/project.repository.js';
import { dueAfter, orderStatusIn, stateToReturnTo } from './project-state.js';

/** A change of the state of a project. */
export interface StateChange {
  to: ProjectState;
  /** The side that changed it, or `order` if it follows an order’s status or payment, or the end of a monthly plan. */
  cause: EventPayload<typeof projectStateChanged>['by'];
  by: Author;
  what: NewEvent['what'];
  /** What the thread says, e.g. `Ada Lovelace accepted the work.` */
  text: string;
  /** What the customer is told about why it is on hold or closed; or what the customer wants changed. */
  reason?: string | null;
  deliverableId?: string;
  /** Work begins, or begins again, and gets a new due date. */
  hasNewDueDate?: boolean;
  /** See `ProjectEntity.closedByOrder`. */
  closedByOrder?: boolean;
}

/** The only class that changes the state of projects, so that every change has its entry and its event, and the orders follow. */
@Injectable()
export class LifecycleService {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly orders: ProjectOrderRepository,
    private readonly entries: EntryRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Changes the row of a locked project, and the object `project` with it. */
  async change(
    tx: EntityManager,
    project: ProjectEntity,
    change: StateChange,
    origin: EventOrigin = {},
  ): Promise<void> {
    const { to, cause, by, what, text, reason = null, deliverableId, closedByOrder = false } = change;
    const now = this.clock.now();
    const from = project.state;
    const isInterrupted = to === 'on_hold' || to === 'closed';
    // Without a delivery time, a due date that staff set before work began stays; one of work that was finished does not.
    const keptDueOn = from === 'waiting_for_brief' ? project.dueOn : null;
    const dueOn = change.hasNewDueDate ? (dueAfter(now, project.deliveryDays) ?? keptDueOn) : project.dueOn;
    await this.projects.update(
      tx,
      project,
      {
        ...{ state: to, stateSince: now, remindedAt: null, activeAt: now, dueOn, closedByOrder },
        stateBefore: isInterrupted ? stateToReturnTo(project) : null,
        reason: isInterrupted ? reason : null,
      },
      { isVisible: true, now },
    );
    await this.entries.append(tx, project, {
      kind: 'event',
      what,
      state: to,
      by,
      at: now,
      text,
      deliverableId,
      reason,
    });
    const { orderIds, orderStatus } = await this.setOrderStatus(tx, project);
    const { id: projectId, accountId, version } = project;
    await this.outbox.append(
      tx,
      projectStateChanged,
      { projectId, accountId, version, from, to, by: cause, orderIds, orderStatus },
      origin,
    );
  }

  /** Adds an event to the thread without changing the state. */
  async recordEvent(
    tx: EntityManager,
    project: ProjectEntity,
    { by, what, text }: Pick<StateChange, 'by' | 'what' | 'text'>,
  ): Promise<void> {
    const at = this.clock.now();
    await this.projects.setActive(tx, project, at);
    await this.entries.append(tx, project, { kind: 'event', what, by, at, text });
  }

  /** Call it when the brief of a project on hold was completed: when the project resumes, it will continue with the work. */
  async rememberInProgress(tx: EntityManager, project: ProjectEntity): Promise<void> {
    const now = this.clock.now();
    await this.projects.update(tx, project, { stateBefore: 'in_progress' }, { isVisible: false, now });
  }

  /**
   * Sets the status of the orders that follow the project’s state, and returns these orders: all of them once the project is delivered, none while it
   * is on hold or closed, otherwise the newest one; never one that is cancelled, refunded or disputed. They are returned even if they have that
   * status here already: the orders service may just be applying an earlier change.
   */
  private async setOrderStatus(
    tx: EntityManager,
    { id, state }: ProjectEntity,
  ): Promise<{ orderIds: string[]; orderStatus: OrderStatus | null }> {
    const orderStatus = orderStatusIn(state);
    if (orderStatus === null) return { orderIds: [], orderStatus };
    const paying = await this.orders.listPaying(tx, id);
    const concerned = orderStatus === 'Pending' ? paying.slice(-1) : paying;
    const orderIds = concerned.map(({ orderId }) => orderId);
    await this.orders.setStatus(tx, orderIds, orderStatus);
    return { orderIds, orderStatus };
  }
}
