import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type BulkFailure,
  bulkFailureOf,
  type BulkOutcome,
  DomainError,
  type HandlerInputs,
  type Order,
  orderContract,
  type OrdersSummary,
  type OrderStatus,
  type Output,
  type TimelineEntry,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { type Person, personOf, type RecordRelation } from '../access/person.js';
import { RecordAccess, refusePayers } from '../access/record-access.js';
import { OrderTimelineRepository, type TimelineInput } from '../timeline/order-timeline.repository.js';
import { TaxService } from '../tax/tax.service.js';
import { OrderTotalsService } from '../totals/order-totals.service.js';
import { OrderChangeService } from './order-change.service.js';
import type { OrderEntity } from './order.entity.js';
import { OrderRepository } from './order.repository.js';
import type { OrderChange } from './order-transition.js';
import { orderName, orderView } from './order.view.js';
import { PaymentHoldRepository } from './payment-hold.repository.js';

interface Target {
  id: string;
  /** Without it, any version is changed. */
  ifVersion?: number;
}

type ChangeResult = Output<typeof orderContract.cancel>;

/** Undefined when there is nothing to change. */
type Decision =
  | {
      change: OrderChange;
      entry: Omit<TimelineInput, 'by'>;
      /** Added to the entry in the audit log. */
      audited?: { reason?: string };
    }
  | undefined;

type Input = HandlerInputs<typeof orderContract>;

@Injectable()
export class OrderService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly access: RecordAccess,
    private readonly orders: OrderRepository,
    private readonly changes: OrderChangeService,
    private readonly timelines: OrderTimelineRepository,
    private readonly totals: OrderTotalsService,
    private readonly holds: PaymentHoldRepository,
    private readonly taxes: TaxService,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(orderContract.getOrder)
  async get({ id }: { id: string }, { actor }: RequestContext): Promise<Order> {
    const { order, relation } = await this.getVisible(personOf(actor), await this.orders.find(id));
    return this.view(this.dataSource.manager, order, relation);
  }

  @Handles(orderContract.getOrderTimeline)
  async timeline({ id }: { id: string }, { actor }: RequestContext): Promise<TimelineEntry[]> {
    const { relation } = await this.getVisible(personOf(actor), await this.orders.find(id));
    return this.timelines.list(this.dataSource.manager, id, relation);
  }

  @Handles(orderContract.getOrdersSummary)
  async summary({ own }: Input['getOrdersSummary'], { actor }: RequestContext): Promise<OrdersSummary> {
    const person = personOf(actor);
    const summary = await this.totals.summary(await this.access.ownerIdsFor(person, { own }));
    return person.role === 'admin' ? summary : { ...summary, flagged: 0 };
  }

  @Handles(orderContract.updateOrderPaymentStatus)
  setPaymentStatus(
    { paymentStatus, reason, ...target }: Input['updateOrderPaymentStatus'],
    context: RequestContext,
  ) {
    return this.change(target, context, paymentStatusDecider(paymentStatus, reason));
  }

  /** Allowed whatever the payment status. Only the bulk change refuses to deliver a cancelled order, which is easily overlooked among many. */
  @Handles(orderContract.updateOrderStatus)
  setOrderStatus({ orderStatus, ...target }: Input['updateOrderStatus'], context: RequestContext) {
    return this.change(target, context, orderStatusDecider(orderStatus));
  }

  /** Reports NOT_FOUND, and INVALID_TRANSITION for a cancelled order, whose payment should be reviewed first. */
  @Handles(orderContract.updateOrdersPaymentStatus)
  setPaymentStatuses(
    { ids, paymentStatus, reason }: Input['updateOrdersPaymentStatus'],
    context: RequestContext,
  ) {
    return this.changeAll(ids, context, paymentStatusDecider(paymentStatus, reason), (order) =>
      order.paymentStatus === 'Cancelled'
        ? 'Cancelled orders are skipped: review the payment first.'
        : undefined,
    );
  }

  /** Reports NOT_FOUND, and INVALID_TRANSITION for a cancelled order that would be delivered. */
  @Handles(orderContract.updateOrdersStatus)
  setOrderStatuses({ ids, orderStatus }: Input['updateOrdersStatus'], context: RequestContext) {
    return this.changeAll(ids, context, orderStatusDecider(orderStatus), (order) =>
      order.paymentStatus === 'Cancelled' && orderStatus === 'Delivered'
        ? 'Cancelled orders can’t be delivered.'
        : undefined,
    );
  }

  @Handles(orderContract.cancel)
  cancel(target: Target, context: RequestContext): Promise<ChangeResult> {
    return this.change(
      target,
      context,
      async ({ id, paymentStatus: before, accountId, subscriptionId }, person, tx) => {
        if (before === 'Paid') throw new DomainError('ALREADY_PAID');
        if (before === 'Cancelled') return undefined;
        if (subscriptionId !== null) {
          const sentence = 'This order belongs to a monthly plan. Cancel the plan instead.';
          throw new DomainError('INVALID_TRANSITION', {}, sentence);
        }
        if (await this.holds.isCapturing(tx, id)) {
          const sentence = 'A payment for this order is being confirmed, so it can’t be cancelled now.';
          throw new DomainError('ALREADY_PAID', {}, sentence);
        }
        const by = accountId === person.accountId ? 'customer' : 'admin';
        const text = `The payment was cancelled by ${by === 'customer' ? 'the customer' : 'an admin'}.`;
        return { change: { cancelledBy: by }, entry: { kind: 'cancelled', text } };
      },
    );
  }

  @Handles(orderContract.clearOrderFlags)
  clearFlags(target: Target, context: RequestContext): Promise<ChangeResult> {
    return this.change(target, context, ({ flags }) => {
      if (flags.length === 0) return undefined;
      // Customers read the text, so it does not name the flags.
      const entry = {
        kind: 'flag_cleared',
        text: 'An admin reviewed the order.',
        evidence: { flags },
      } as const;
      return { change: { clearFlags: true }, entry };
    });
  }

  @Handles(orderContract.getForService)
  async getForService({ id }: { id: string }): Promise<Output<typeof orderContract.getForService>> {
    const order = await this.orders.find(id);
    if (!order) throw new DomainError('NOT_FOUND');
    const settings = await this.taxes.findInvoiceSettings();
    return {
      ...(await this.view(this.dataSource.manager, order, 'admin')),
      accountId: order.accountId,
      invoices: settings === null ? 'none' : settings.attachToMail ? 'file' : 'link',
    };
  }

  @Handles(orderContract.listPaidOrderIds)
  listPaidOrderIds({ after, limit }: Input['listPaidOrderIds']): Promise<string[]> {
    return this.orders.listPaidIds(after, limit);
  }

  private async view(manager: EntityManager, order: OrderEntity, relation: RecordRelation): Promise<Order> {
    return orderView(order, relation, await this.holds.find(manager, order));
  }

  /** Throws NOT_FOUND, also for an order that the person may not see. */
  private async getVisible(
    person: Person,
    order: OrderEntity | null,
    tx?: EntityManager,
  ): Promise<{ order: OrderEntity; relation: RecordRelation }> {
    if (!order) throw new DomainError('NOT_FOUND');
    return { order, relation: await this.access.relationOf(person, order.accountId, tx) };
  }

  private change(
    { id, ifVersion }: Target,
    context: RequestContext,
    decide: (order: OrderEntity, person: Person, tx: EntityManager) => Decision | Promise<Decision>,
  ): Promise<ChangeResult> {
    const person = personOf(context.actor);
    return this.inbox.once(context, async (tx: EntityManager) => {
      const { order, relation } = await this.getVisible(person, await this.orders.lock(tx, id), tx);
      refusePayers(relation);
      if (ifVersion !== undefined && ifVersion !== order.version) {
        throw new DomainError('VERSION_MISMATCH', {
          current: await this.view(tx, order, relation),
        });
      }
      const modified = await this.applyDecision(tx, order, await decide(order, person, tx), person, context);
      return { record: await this.view(tx, order, relation), modified };
    });
  }

  /** Changes all in one transaction. Orders that cannot be changed stay as they are. */
  private changeAll(
    ids: readonly string[],
    context: RequestContext,
    decide: (order: OrderEntity) => Decision,
    reasonToRefuse: (order: OrderEntity) => string | undefined,
  ): Promise<BulkOutcome> {
    const person = personOf(context.actor);
    return this.inbox.once(context, async (tx) => {
      const done = new Set<string>();
      const failed: BulkFailure[] = [];
      // Always locking in the same sequence avoids deadlocks.
      for (const id of [...ids].sort()) {
        const order = await this.orders.lock(tx, id);
        const reason = order && reasonToRefuse(order);
        if (!order) failed.push(bulkFailureOf(id, 'NOT_FOUND'));
        else if (reason) failed.push(bulkFailureOf(id, 'INVALID_TRANSITION', reason));
        else {
          await this.applyDecision(tx, order, decide(order), person, context);
          done.add(id);
        }
      }
      return { done: ids.filter((id) => done.has(id)), failed };
    });
  }

  private async applyDecision(
    tx: EntityManager,
    order: OrderEntity,
    decision: Decision,
    person: Person,
    context: RequestContext,
  ): Promise<boolean> {
    if (!decision) return false;
    const before = auditedFields(order);
    const entries = [{ ...decision.entry, by: person.email, byAccount: person.accountId }];
    if (!(await this.changes.apply(tx, order, decision.change, entries, context))) return false;
    await this.audit.record(tx, context.actor, {
      section: 'order',
      recordId: order.id,
      name: orderName(order),
      change: 'updated',
      before,
      after: { ...auditedFields(order), ...decision.audited },
    });
    return true;
  }
}

/** If the order already has the status, nothing changes, and no override is stored. */
function paymentStatusDecider(paymentStatus: 'UnPaid' | 'Paid', givenReason: string | undefined) {
  const reason = givenReason === undefined ? {} : { reason: givenReason };
  return ({ paymentStatus: before }: OrderEntity): Decision => {
    if (before === paymentStatus) return undefined;
    const text = `The payment status was set from ${before} to ${paymentStatus}.`;
    const evidence = { before, after: paymentStatus, ...reason };
    const entry = { kind: 'payment_status_set', text, evidence } as const;
    return { change: { override: paymentStatus }, entry, audited: reason };
  };
}

function orderStatusDecider(orderStatus: OrderStatus) {
  return ({ orderStatus: before }: OrderEntity): Decision => {
    if (before === orderStatus) return undefined;
    const text = `The order status was set from ${before} to ${orderStatus}.`;
    const evidence = { before, after: orderStatus };
    return { change: { orderStatus }, entry: { kind: 'order_status_set', text, evidence } };
  };
}

function auditedFields({ paymentStatus, orderStatus, override, cancelled, flags }: OrderEntity) {
  return { paymentStatus, orderStatus, override, cancelled, flags };
}
