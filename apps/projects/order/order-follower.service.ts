import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  DomainError,
  type EventPayload,
  orderCancelled,
  orderDelivered,
  orderPaid,
  orderReopened,
  type OrderStatus,
  type PaymentState,
  subscriptionChanged,
} from '#libs/contracts';
import { type EventOrigin, transaction } from '#libs/database';
import { Clock } from '#libs/runtime';
import { type EventContext, OnEvent } from '#libs/transport';
import { DeliverableRepository } from '../deliverable/deliverable.repository.js';
import { LifecycleService } from '../lifecycle/lifecycle.service.js';
import { orderStatusIn, stateToReturnTo, sentenceOf } from '../lifecycle/project-state.js';
import type { ProjectOrderEntity } from '../project/project-order.entity.js';
import { ProjectOrderRepository } from '../project/project-order.repository.js';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectRepository } from '../project/project.repository.js';
import { type OrderFacts, OrdersClient } from './orders.client.js';
import {
  type ProjectStart,
  planEndedReason,
  type NumberedOrder,
  ProjectOpeningService,
} from './project-opening.service.js';

const oldAfterMs = 24 * 60 * 60 * 1000;

const closedReasons: Partial<Record<PaymentState, string>> = {
  refunded: 'The payment was refunded.',
  disputed: 'The payment is disputed.',
};
const cancelledReason = 'The order was cancelled.';

/**
 * A status that an admin has set, and the end of a plan, are taken from the event. Other events only say that an order has changed, and the order is
 * read from the orders service; right after a project is opened, its status too. The stored versions keep an older state from replacing a newer one.
 */
@Injectable()
export class OrderFollowerService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly client: OrdersClient,
    private readonly projects: ProjectRepository,
    private readonly orders: ProjectOrderRepository,
    private readonly opening: ProjectOpeningService,
    private readonly deliverables: DeliverableRepository,
    private readonly lifecycle: LifecycleService,
    private readonly clock: Clock,
  ) {}

  @OnEvent(orderPaid)
  paid({ orderId }: EventPayload<typeof orderPaid>, context: EventContext): Promise<void> {
    return this.follow(orderId, { isNews: true }, context);
  }

  /** Cancelled, refunded in full, or disputed. */
  @OnEvent(orderCancelled)
  cancelled({ orderId }: EventPayload<typeof orderCancelled>, context: EventContext): Promise<void> {
    return this.follow(orderId, { isNews: true }, context);
  }

  @OnEvent(orderDelivered)
  delivered(changed: EventPayload<typeof orderDelivered>, context: EventContext): Promise<void> {
    return this.applyOrderStatus(changed, 'Delivered', originOf(context));
  }

  /** An admin has set the order status to Pending. */
  @OnEvent(orderReopened)
  reopened(changed: EventPayload<typeof orderReopened>, context: EventContext): Promise<void> {
    return this.applyOrderStatus(changed, 'Pending', originOf(context));
  }

  @OnEvent(subscriptionChanged)
  async subscriptionChanged(
    { subscriptionId, news }: EventPayload<typeof subscriptionChanged>,
    context: EventContext,
  ): Promise<void> {
    if (news === 'ended') await this.closeForEndedPlan(subscriptionId, originOf(context));
  }

  /** `isNews` means that an event has just reported the order. */
  async follow(orderId: string, { isNews }: { isNews: boolean }, context?: EventContext): Promise<void> {
    const facts = await this.client.getOrder(orderId);
    const numbered = numberedOrderOf(facts, this.clock.now());
    const known = await this.orders.find(orderId);
    const start = known || facts.paymentStatus !== 'Paid' ? null : await this.startOf(numbered, isNews);
    await transaction(this.dataSource, async (tx) => {
      // Every order of a monthly plan has a `renewal`, including the first.
      await this.projects.lockOpening(tx, facts.renewal?.subscriptionId ?? orderId);
      const order = await this.orders.find(orderId, tx);
      if (order) await this.updateOrder(tx, order, facts, originOf(context));
      else if (start) await this.openOrAddOrder(tx, numbered, start, originOf(context));
    });
    if (start) await this.applyLaterChange(facts, originOf(context));
    const subscriptionId = facts.renewal?.subscriptionId;
    // The plan may have ended since it was checked, and its event may have arrived before there was a project to close.
    if (
      subscriptionId &&
      facts.paymentStatus === 'Paid' &&
      (await this.client.hasSubscriptionEnded(subscriptionId))
    )
      await this.closeForEndedPlan(subscriptionId, originOf(context));
  }

  /** The order may have changed after it was read, and the event about that may have arrived before there was a project to change. */
  private async applyLaterChange(
    { _id: orderId, version, renewal }: OrderFacts,
    origin: EventOrigin,
  ): Promise<void> {
    const latest = await this.client.getOrder(orderId);
    if (latest.version === version) return;
    await transaction(this.dataSource, async (tx) => {
      await this.projects.lockOpening(tx, renewal?.subscriptionId ?? orderId);
      const order = await this.orders.find(orderId, tx);
      if (order) await this.updateOrder(tx, order, latest, origin);
    });
    await this.applyOrderStatus({ orderId, version: latest.version }, latest.orderStatus, origin);
  }

  private async closeForEndedPlan(subscriptionId: string, origin: EventOrigin): Promise<void> {
    await transaction(this.dataSource, async (tx) => {
      await this.projects.lockOpening(tx, subscriptionId);
      const project = await this.projects.lockBySubscription(tx, subscriptionId);
      if (!project || project.subscriptionHasEnded) return;
      const now = this.clock.now();
      await this.projects.update(
        tx,
        project,
        { subscriptionHasEnded: true },
        { isChangeVisibleToCustomer: false, now },
      );
      // A project that staff have closed keeps their reason.
      if (project.state !== 'closed') await this.closeProject(tx, project, planEndedReason, origin);
    });
  }

  private async startOf({ facts, paidAt }: NumberedOrder, isNews: boolean): Promise<ProjectStart> {
    const subscriptionId = facts.renewal?.subscriptionId ?? null;
    return {
      ...(await this.opening.findPackageAndTemplate(facts.packageName)),
      subscriptionHasEnded:
        subscriptionId !== null && (await this.client.hasSubscriptionEnded(subscriptionId)),
      isOld: !isNews && this.clock.now().getTime() - paidAt.getTime() > oldAfterMs,
    };
  }

  private async openOrAddOrder(
    tx: EntityManager,
    paidOrder: NumberedOrder,
    start: ProjectStart,
    origin: EventOrigin,
  ): Promise<void> {
    const subscriptionId = paidOrder.facts.renewal?.subscriptionId;
    const project = subscriptionId && (await this.projects.lockBySubscription(tx, subscriptionId));
    if (!project) return this.opening.open(tx, paidOrder, start, origin);
    const { number, facts } = paidOrder;
    const [newest] = (await this.orders.listPaying(tx, project.id)).slice(-1);
    await this.opening.addOrder(tx, project, paidOrder);
    const now = this.clock.now();
    // A project has the number of its first order, which may become known after a later one.
    if (number < project.number)
      await this.projects.update(tx, project, { number }, { isChangeVisibleToCustomer: true, now });
    const by = await this.opening.siteAuthor(tx);
    const entry = { by, what: 'order_paid', text: `Order #${number} was paid.` } as const;
    const isDone = project.state === 'accepted' || project.state === 'delivered';
    const isNewest = newest === undefined || number > newest.number;
    // `ProjectCatchUp` adds the months of an old plan one by one. If the newest one is already delivered, the project becomes accepted, like that of
    // a single order that was already delivered.
    if (
      start.isOld &&
      isNewest &&
      facts.orderStatus === 'Delivered' &&
      !isDone &&
      project.state !== 'closed'
    ) {
      const change = { to: 'accepted', cause: 'order', ...entry } as const;
      return this.lifecycle.change(tx, project, change, origin);
    }
    if (isDone && isNewest && facts.orderStatus === 'Pending') {
      await this.deliverables.withdraw(tx, project.id);
      const change = { to: 'in_progress', cause: 'order', hasNewDueDate: true, ...entry } as const;
      return this.lifecycle.change(tx, project, change, origin);
    }
    await this.lifecycle.appendEventEntry(tx, project, entry);
  }

  /**
   * Stores whether the order was cancelled, refunded in full or disputed. If so, closes its project; otherwise, reopens a project that was closed
   * for this reason. Leaves the project of a plan as it is.
   */
  private async updateOrder(
    tx: EntityManager,
    order: ProjectOrderEntity,
    facts: OrderFacts,
    origin: EventOrigin,
  ): Promise<void> {
    const project = await this.projects.lock(tx, order.projectId);
    if (!project || facts.version <= order.orderVersion) return;
    const cancelledAt = facts.paymentStatus === 'Cancelled' ? (order.cancelledAt ?? this.clock.now()) : null;
    const isChanged = (cancelledAt === null) !== (order.cancelledAt === null);
    await this.orders.update(tx, order, { cancelledAt, orderVersion: facts.version });
    // A plan’s project goes on with the other months, until the plan ends.
    if (!isChanged || project.subscriptionId !== null) return;
    if (cancelledAt === null) {
      if (project.closedAutomatically) await this.reopenProject(tx, project, origin);
    } else if (project.state !== 'closed') {
      await this.closeProject(tx, project, closedReasons[facts.paymentState] ?? cancelledReason, origin);
    }
  }

  private async closeProject(
    tx: EntityManager,
    project: ProjectEntity,
    reason: string,
    origin: EventOrigin,
  ): Promise<void> {
    const by = await this.opening.siteAuthor(tx);
    const text = `${sentenceOf('closed')} ${reason}`;
    const change = { to: 'closed', cause: 'order', what: 'state_changed', by, text, reason } as const;
    await this.lifecycle.change(tx, project, { ...change, closedAutomatically: true }, origin);
  }

  private async reopenProject(tx: EntityManager, project: ProjectEntity, origin: EventOrigin): Promise<void> {
    const to = stateToReturnTo(project);
    const by = await this.opening.siteAuthor(tx);
    const text = `The order counts as paid again. ${sentenceOf(to)}`;
    await this.lifecycle.change(tx, project, { to, cause: 'order', what: 'state_changed', by, text }, origin);
  }

  /** The project’s state changes only with its newest order that was not cancelled, refunded in full or disputed. */
  private async applyOrderStatus(
    { orderId, version }: { orderId: string; version: number },
    orderStatus: OrderStatus,
    origin: EventOrigin,
  ): Promise<void> {
    await transaction(this.dataSource, async (tx) => {
      const found = await this.orders.find(orderId, tx);
      const project = found && (await this.projects.lock(tx, found.projectId));
      // The first read was made without the project's lock, under which these rows change, so it may be out of date.
      const order = project && (await this.orders.find(orderId, tx));
      if (!order || version <= order.statusVersion) return;
      await this.orders.update(tx, order, { statusVersion: version, orderStatus });
      const [newest] = (await this.orders.listPaying(tx, project.id)).slice(-1);
      const current = orderStatusIn(project.state);
      if (newest?.orderId !== orderId || current === null || current === orderStatus) return;
      const to = orderStatus === 'Delivered' ? 'delivered' : 'in_progress';
      if (to === 'in_progress') await this.deliverables.withdraw(tx, project.id);
      const by = await this.opening.siteAuthor(tx);
      const text = `The order was set to ${orderStatus}. ${sentenceOf(to)}`;
      const hasNewDueDate = to === 'in_progress' && (await this.lifecycle.getsNewDueDate(tx, project));
      const change = { to, cause: 'order', what: 'state_changed', by, text, hasNewDueDate } as const;
      await this.lifecycle.change(tx, project, change, origin);
    });
  }
}

const originOf = (context: EventContext | undefined): EventOrigin =>
  context?.traceparent === undefined ? {} : { traceparent: context.traceparent };

/** Throws UNAVAILABLE if the order has no number yet, which happens only during an upgrade. */
function numberedOrderOf(facts: OrderFacts, now: Date): NumberedOrder {
  const { number, payments, createdAt } = facts;
  if (number === null) throw new DomainError('UNAVAILABLE');
  const times = payments
    .filter(({ state }) => state !== 'pending' && state !== 'failed')
    .map(({ paidAt }) => Date.parse(paidAt));
  // The times of payments come from the provider’s clock, which may run ahead of ours.
  const paidAt = new Date(
    Math.min(now.getTime(), times.length > 0 ? Math.min(...times) : Date.parse(createdAt)),
  );
  return { facts, number, paidAt };
}
