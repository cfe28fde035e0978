import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  bulkFailureOf,
  type BulkFailure,
  type BulkOutcome,
  DomainError,
  type HandlerInput,
  type Order,
  type orderContract,
  type OrdersSummary,
  type OrderStatus,
  type Output,
  type TimelineEntry,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { OrderTimeline, type TimelineInput } from '../timeline/order-timeline.js';
import { OrderTotals } from '../totals/order-totals.js';
import { OrderChanges } from './order-changes.js';
import type { OrderChange } from './order-transition.js';
import { localDate } from './order-date.js';
import { OrderEntity } from './order.entity.js';
import { orderView } from './order.view.js';
import { PaymentHolds } from './payment-holds.js';
import { type Person, personOf } from './person.js';

interface Chosen {
  id: string;
  /** The version that the caller has seen; any will do without it. */
  ifVersion?: number;
}

type Changed = Output<typeof orderContract.cancel>;

/** What a change makes of an order: undefined when there is nothing to change. */
type Decision = { change: OrderChange; entry: Omit<TimelineInput, 'by'> } | undefined;

/** Orders as their owners and admins see and change them; to everybody else an order does not exist. */
@Injectable()
export class OrderService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly changes: OrderChanges,
    private readonly timelines: OrderTimeline,
    private readonly totals: OrderTotals,
    private readonly holds: PaymentHolds,
    private readonly audit: AuditTrail,
  ) {}

  /** NOT_FOUND. */
  async item(id: string, person: Person): Promise<Order> {
    return this.view(this.dataSource.manager, await this.find(id, person), person.reader);
  }

  /** NOT_FOUND. */
  async timeline(id: string, person: Person): Promise<TimelineEntry[]> {
    await this.find(id, person);
    return this.timelines.of(this.dataSource.manager, id, person.reader);
  }

  async summary(own: boolean | undefined, { accountId, reader }: Person): Promise<OrdersSummary> {
    if (reader === 'admin') return this.totals.summary(own ? accountId : undefined);
    return { ...(await this.totals.summary(accountId)), flagged: 0 };
  }

  /** NOT_FOUND, VERSION_MISMATCH. */
  setPaymentStatus(
    { paymentStatus, ...chosen }: HandlerInput<typeof orderContract.setPaymentStatus>,
    context: RequestContext,
  ): Promise<Changed> {
    return this.change(chosen, context, paymentSetTo(paymentStatus));
  }

  /** NOT_FOUND, VERSION_MISMATCH. */
  setOrderStatus(
    { orderStatus, ...chosen }: HandlerInput<typeof orderContract.setOrderStatus>,
    context: RequestContext,
  ): Promise<Changed> {
    return this.change(chosen, context, orderSetTo(orderStatus));
  }

  /** Of each: NOT_FOUND, INVALID_TRANSITION for a cancelled one, whose payment should be reviewed first. */
  setPaymentStatuses(
    { ids, paymentStatus }: HandlerInput<typeof orderContract.setPaymentStatuses>,
    context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.changeAll(ids, context, paymentSetTo(paymentStatus), (order) =>
      order.paymentStatus === 'Cancelled'
        ? 'Cancelled orders are skipped: review the payment first.'
        : undefined,
    );
  }

  /** Of each: NOT_FOUND, INVALID_TRANSITION for a cancelled one that would be delivered. */
  setOrderStatuses(
    { ids, orderStatus }: HandlerInput<typeof orderContract.setOrderStatuses>,
    context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.changeAll(ids, context, orderSetTo(orderStatus), (order) =>
      order.paymentStatus === 'Cancelled' && orderStatus === 'Delivered'
        ? 'Cancelled orders can’t be delivered.'
        : undefined,
    );
  }

  /** NOT_FOUND, VERSION_MISMATCH, ALREADY_PAID. */
  cancel(chosen: Chosen, context: RequestContext): Promise<Changed> {
    return this.change(chosen, context, ({ paymentStatus: before, accountId }, person) => {
      if (before === 'Paid') throw new DomainError('ALREADY_PAID');
      if (before === 'Cancelled') return undefined;
      const by = accountId === person.accountId ? 'customer' : 'admin';
      const who = { customer: 'the customer', admin: 'an admin' }[by];
      const text = `The payment was cancelled by ${who}.`;
      return { change: { cancel: by }, entry: { kind: 'cancelled', text } };
    });
  }

  /** NOT_FOUND, VERSION_MISMATCH. */
  clearFlags(chosen: Chosen, context: RequestContext): Promise<Changed> {
    return this.change(chosen, context, ({ flags }) => {
      if (flags.length === 0) return undefined;
      // Which flags is not for customers, who read the text.
      const entry = {
        kind: 'flag_cleared',
        text: 'An admin reviewed the order.',
        evidence: { flags },
      } as const;
      return { change: { clearFlags: true }, entry };
    });
  }

  /** For our own processes. Throws NOT_FOUND. */
  async told(id: string): Promise<Order & { accountId: string }> {
    const order = isUuid(id) ? await this.dataSource.manager.findOneBy(OrderEntity, { id }) : null;
    if (!order) throw new DomainError('NOT_FOUND');
    return { ...(await this.view(this.dataSource.manager, order, 'admin')), accountId: order.accountId };
  }

  private async view(manager: EntityManager, order: OrderEntity, reader: Person['reader']): Promise<Order> {
    return orderView(order, reader, await this.holds.of(manager, order));
  }

  private async find(id: string, person: Person): Promise<OrderEntity> {
    const order = isUuid(id) ? await this.dataSource.manager.findOneBy(OrderEntity, { id }) : null;
    return visible(order, person);
  }

  private change(
    { id, ifVersion }: Chosen,
    context: RequestContext,
    decide: (order: OrderEntity, person: Person) => Decision,
  ): Promise<Changed> {
    const person = personOf(context.actor);
    return this.inbox.once(context, async (tx: EntityManager) => {
      const order = visible(await this.changes.lock(tx, id), person);
      if (ifVersion !== undefined && ifVersion !== order.version) {
        throw new DomainError('VERSION_MISMATCH', {
          current: await this.view(tx, order, person.reader),
        });
      }
      const modified = await this.carryOut(tx, order, decide(order, person), person, context);
      return { record: await this.view(tx, order, person.reader), modified };
    });
  }

  /** All in one transaction; what cannot be changed stays as it is, with the reason in the answer. */
  private changeAll(
    ids: readonly string[],
    context: RequestContext,
    decide: (order: OrderEntity) => Decision,
    refuse: (order: OrderEntity) => string | undefined,
  ): Promise<BulkOutcome> {
    const person = personOf(context.actor);
    return this.inbox.once(context, async (tx) => {
      const done = new Set<string>();
      const failed: BulkFailure[] = [];
      // Locked in one order, so that nobody waits for each other.
      for (const id of [...ids].sort()) {
        const order = await this.changes.lock(tx, id);
        const reason = order && refuse(order);
        if (!order) failed.push(bulkFailureOf(id, 'NOT_FOUND'));
        else if (reason) failed.push(bulkFailureOf(id, 'INVALID_TRANSITION', reason));
        else {
          await this.carryOut(tx, order, decide(order), person, context);
          done.add(id);
        }
      }
      return { done: ids.filter((id) => done.has(id)), failed };
    });
  }

  /** Whether anything changed; then it is in the audit log. */
  private async carryOut(
    tx: EntityManager,
    order: OrderEntity,
    decision: Decision,
    person: Person,
    context: RequestContext,
  ): Promise<boolean> {
    if (!decision) return false;
    const before = audited(order);
    const entries = [{ ...decision.entry, by: person.email, byAccount: person.accountId }];
    if (!(await this.changes.apply(tx, order, decision.change, entries, context))) return false;
    const { customerName, packageName, orderDate } = order;
    await this.audit.record(tx, context.actor, {
      section: 'order',
      recordId: order.id,
      name: `${customerName}, ${packageName}, ${localDate(orderDate)}`,
      change: 'updated',
      before,
      after: audited(order),
    });
    return true;
  }
}

function paymentSetTo(paymentStatus: 'UnPaid' | 'Paid') {
  return ({ paymentStatus: before }: OrderEntity): Decision => {
    if (before === paymentStatus) return undefined;
    const text = `The payment status was set from ${before} to ${paymentStatus}.`;
    const evidence = { before, after: paymentStatus };
    return { change: { override: paymentStatus }, entry: { kind: 'payment_status_set', text, evidence } };
  };
}

function orderSetTo(orderStatus: OrderStatus) {
  return ({ orderStatus: before }: OrderEntity): Decision => {
    if (before === orderStatus) return undefined;
    const text = `The order status was set from ${before} to ${orderStatus}.`;
    const evidence = { before, after: orderStatus };
    return { change: { orderStatus }, entry: { kind: 'order_status_set', text, evidence } };
  };
}

/** What an admin can change of an order. */
function audited({ paymentStatus, orderStatus, override, cancelled, flags }: OrderEntity) {
  return { paymentStatus, orderStatus, override, cancelled, flags };
}

/** NOT_FOUND for an order that is not there, or not this person's to see. */
function visible(order: OrderEntity | null, { accountId, reader }: Person): OrderEntity {
  if (!order || (reader === 'customer' && order.accountId !== accountId)) throw new DomainError('NOT_FOUND');
  return order;
}
