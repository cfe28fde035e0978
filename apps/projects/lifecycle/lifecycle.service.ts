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

export interface StateChange {
  to: ProjectState;
  /** The event’s `by`: which side changed the state; `order` if an order’s status or payment changed, or a monthly plan ended. */
  cause: EventPayload<typeof projectStateChanged>['by'];
  /** The author of the entry. */
  by: Author;
  what: NewEvent['what'];
  text: string;
  /** Why the project is on hold or closed, as the customer is told; or what the customer wants changed. */
  reason?: string | null;
  deliverableId?: string;
  /** For work that begins, or begins again. */
  hasNewDueDate?: boolean;
  closedAutomatically?: true;
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

  /** Changes the project in the database and in the object `project`. Lock it first. */
  async change(
    tx: EntityManager,
    project: ProjectEntity,
    change: StateChange,
    origin: EventOrigin = {},
  ): Promise<void> {
    const { to, cause, by, what, text, reason = null, deliverableId } = change;
    const now = this.clock.now();
    const from = project.state;
    // When staff only change the reason of a closed project, it still reopens when its order is paid again.
    const closedAutomatically =
      change.closedAutomatically ?? (to === 'closed' && project.closedAutomatically);
    const isInterrupted = to === 'on_hold' || to === 'closed';
    // Without `deliveryDays`, a project that begins keeps the due date that staff have set. Work that begins again gets none.
    const keptDueOn = from === 'waiting_for_brief' ? project.dueOn : null;
    const dueOn = change.hasNewDueDate ? (dueAfter(now, project.deliveryDays) ?? keptDueOn) : project.dueOn;
    await this.projects.update(
      tx,
      project,
      {
        ...{ state: to, stateSince: now, remindedAt: null, activeAt: now, dueOn, closedAutomatically },
        stateBefore: isInterrupted ? stateToReturnTo(project) : null,
        reason: isInterrupted ? reason : null,
      },
      { isChangeVisibleToCustomer: true, now },
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

  /**
   * Whether a project that is set to `in_progress` gets a new due date. An accepted project does, and so does one without a due date if its work
   * has not begun. Once work has begun, a missing due date stays missing: staff removed it, or the package has none.
   */
  async getsNewDueDate(tx: EntityManager, { id, state, dueOn }: ProjectEntity): Promise<boolean> {
    return state === 'accepted' || (dueOn === null && !(await this.entries.hasWorkBegun(tx, id)));
  }

  /** Also updates `activeAt`. The state stays the same. */
  async appendEventEntry(
    tx: EntityManager,
    project: ProjectEntity,
    { by, what, text }: Pick<StateChange, 'by' | 'what' | 'text'>,
  ): Promise<void> {
    const at = this.clock.now();
    await this.projects.updateActiveAt(tx, project, at);
    await this.entries.append(tx, project, { kind: 'event', what, by, at, text });
  }

  /** Lets a project on hold, whose brief is complete now, continue with the work when it resumes. */
  async rememberInProgress(tx: EntityManager, project: ProjectEntity): Promise<void> {
    const now = this.clock.now();
    await this.projects.update(
      tx,
      project,
      { stateBefore: 'in_progress' },
      { isChangeVisibleToCustomer: false, now },
    );
  }

  /**
   * Sets the orders of a project to the status that follows from its state. Delivered is set for all orders, Pending only for the newest. Nothing is
   * set while the project is on hold or closed. Orders that are cancelled, refunded in full or disputed are left alone. Returns orders even if
   * this service has stored the status for them already: the orders service could still have an earlier change to apply.
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
