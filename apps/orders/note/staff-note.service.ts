import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  customerContract,
  DomainError,
  type HandlerInputs,
  noteLimit,
  orderContract,
  type StaffNote,
} from '#libs/contracts';
import { AuditTrail, Inbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { CustomerRepository } from '../customer/customer.repository.js';
import type { OrderEntity } from '../order/order.entity.js';
import { OrderRepository } from '../order/order.repository.js';
import { orderName } from '../order/order.view.js';
import { personOf } from '../access/person.js';
import type { StaffNoteEntity } from './staff-note.entity.js';
import { StaffNoteRepository } from './staff-note.repository.js';

type Input = HandlerInputs<typeof orderContract & typeof customerContract>;

/**
 * How many notes a customer's list shows, including those about orders. More can exist: `noteLimit` counts each order's notes, and the notes about
 * the customer, separately.
 */
const maxListedNotes = 200;

/** What a note is about. The audit log shows its `name`. */
interface Subject {
  section: 'order' | 'customer';
  name: string;
  accountId: string;
  order?: OrderEntity;
}

@Injectable()
export class StaffNoteService {
  constructor(
    private readonly inbox: Inbox,
    private readonly orders: OrderRepository,
    private readonly customers: CustomerRepository,
    private readonly notes: StaffNoteRepository,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  @Handles(orderContract.listOrderNotes)
  async listOfOrder({ id }: Input['listOrderNotes']): Promise<StaffNote[]> {
    const { number } = await orNotFound(this.orders.find(id));
    return (await this.notes.list({ orderId: id }, noteLimit)).map((note) => noteView(note, number));
  }

  @Handles(orderContract.addOrderNote)
  addToOrder({ id, text }: Input['addOrderNote'], context: RequestContext): Promise<StaffNote> {
    return this.inbox.once(context, async (tx) => {
      const order = await orNotFound(this.orders.lock(tx, id));
      return this.add(tx, context, text, {
        section: 'order',
        name: orderName(order),
        accountId: order.accountId,
        order,
      });
    });
  }

  @Handles(customerContract.listCustomerNotes)
  async listOfCustomer({ id }: Input['listCustomerNotes']): Promise<StaffNote[]> {
    await orNotFound(this.customers.find(id));
    const notes = await this.notes.list({ accountId: id }, maxListedNotes);
    const numbers = await this.orders.findNumbers(notes.flatMap(({ orderId }) => orderId ?? []));
    return notes.map((note) => noteView(note, numbers.get(note.orderId ?? '')));
  }

  @Handles(customerContract.addCustomerNote)
  addToCustomer({ id, text }: Input['addCustomerNote'], context: RequestContext): Promise<StaffNote> {
    return this.inbox.once(context, async (tx) => {
      // `find` locks the customer, because it gets the transaction.
      const { name } = await orNotFound(this.customers.find(id, tx));
      return this.add(tx, context, text, { section: 'customer', name, accountId: id });
    });
  }

  /** The caller must have locked the order or customer, so that the limit is exact. */
  private async add(
    tx: EntityManager,
    { actor }: RequestContext,
    text: string,
    { section, name, accountId, order }: Subject,
  ): Promise<StaffNote> {
    const orderId = order?.id ?? null;
    const count = await this.notes.count(tx, orderId === null ? { accountId, orderId } : { orderId });
    if (count >= noteLimit) throw tooManyNotes(section);
    const { email: author, accountId: authorAccount } = personOf(actor);
    const createdAt = this.clock.now();
    const note = { id: uuidv7(), accountId, orderId, text, author, authorAccount, createdAt };
    await this.notes.insert(tx, note);
    await this.audit.record(tx, actor, {
      section,
      recordId: orderId ?? accountId,
      name,
      change: 'updated',
      before: {},
      // Without the text: notes are deleted with the account, but audit entries are kept.
      after: { added: 'note' },
    });
    return noteView(note, order?.number);
  }
}

function tooManyNotes(section: Subject['section']): DomainError {
  const sentence = `This ${section} already has the maximum number of notes (${noteLimit}).`;
  return new DomainError('INVALID_TRANSITION', {}, sentence);
}

async function orNotFound<T>(record: Promise<T | null>): Promise<T> {
  const found = await record;
  if (found === null) throw new DomainError('NOT_FOUND');
  return found;
}

function noteView(
  { id, orderId, text, author, createdAt }: StaffNoteEntity,
  orderNumber: number | undefined,
): StaffNote {
  return {
    _id: id,
    orderId,
    orderNumber: orderNumber ?? null,
    text,
    author,
    createdAt: createdAt.toISOString(),
  };
}
