import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, type HandlerInputs, noteLimit, orderContract, type StaffNote } from '#libs/contracts';
import { AuditTrail, Inbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { OrderRepository } from '../order/order.repository.js';
import { orderName } from '../order/order.view.js';
import { personOf } from '../order/person.js';
import type { StaffNoteEntity } from './staff-note.entity.js';
import { StaffNoteRepository } from './staff-note.repository.js';

type Input = HandlerInputs<typeof orderContract>;

/** Notes of admins about orders, which nobody else sees. Notes are added, never changed. */
@Injectable()
export class StaffNoteService {
  constructor(
    private readonly inbox: Inbox,
    private readonly orders: OrderRepository,
    private readonly notes: StaffNoteRepository,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** NOT_FOUND. */
  @Handles(orderContract.listOrderNotes)
  async ofOrder({ id }: Input['listOrderNotes']): Promise<StaffNote[]> {
    const order = await this.orders.find(id);
    if (!order) throw new DomainError('NOT_FOUND');
    return (await this.notes.list({ orderId: id }, noteLimit)).map(noteView);
  }

  /** NOT_FOUND; INVALID_TRANSITION if the order has as many notes as it can have. */
  @Handles(orderContract.addOrderNote)
  addToOrder({ id, text }: Input['addOrderNote'], context: RequestContext): Promise<StaffNote> {
    return this.inbox.once(context, async (tx) => {
      const order = await this.orders.lock(tx, id);
      if (!order) throw new DomainError('NOT_FOUND');
      return this.add(tx, context, { accountId: order.accountId, orderId: id, text }, orderName(order));
    });
  }

  private async add(
    tx: EntityManager,
    { actor }: RequestContext,
    { accountId, orderId, text }: { accountId: string; orderId: string; text: string },
    name: string,
  ): Promise<StaffNote> {
    if ((await this.notes.count(tx, { orderId })) >= noteLimit) throw new DomainError('INVALID_TRANSITION');
    const { email: author, accountId: authorAccount } = personOf(actor);
    const createdAt = this.clock.now();
    const note = { id: uuidv7(), accountId, orderId, text, author, authorAccount, createdAt };
    await this.notes.insert(tx, note);
    await this.audit.record(tx, actor, {
      section: 'order',
      recordId: orderId,
      name,
      change: 'updated',
      before: {},
      // Without the text, which is not kept forever.
      after: { added: 'note' },
    });
    return noteView(note);
  }
}

function noteView({ id, orderId, text, author, createdAt }: StaffNoteEntity): StaffNote {
  return { _id: id, orderId, text, author, createdAt: createdAt.toISOString() };
}
