import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  type BulkOutcome,
  bulkOutcomeOf,
  DomainError,
  type HandlerInput,
  type Message,
  type MessageInput,
  messageReceived,
  type messagingContract,
  type Output,
  type PageOf,
} from '#libs/contracts';
import {
  AuditTrail,
  boundedSearch,
  containing,
  Inbox,
  type ListOrder,
  listPage,
  ListTotals,
  newestFirst,
  Outbox,
  uuidv7,
} from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { DeletedRecords } from '../deleted/deleted-records.js';
import { MessageEntity } from './message.entity.js';

interface Chosen {
  id: string;
  /** The version that the caller has seen; any will do without it. */
  ifVersion?: number;
}

type ListInput = HandlerInput<typeof messagingContract.listMessages>;

const orders: Record<ListInput['sort'], Omit<ListOrder<MessageEntity>, 'direction'>> = {
  createdAt: newestFirst,
  fullName: { by: 'nameSorted', kind: 'text' },
};

/** What visitors wrote. It is stored as written and never interpreted: whoever shows it escapes it. */
@Injectable()
export class MessageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly totals: ListTotals,
    private readonly audit: AuditTrail,
    private readonly deleted: DeletedRecords,
  ) {}

  add(input: MessageInput, context: RequestContext): Promise<Message> {
    return this.inbox.once(context, async (tx) => {
      const now = new Date();
      const message = tx.create(MessageEntity, {
        ...input,
        id: uuidv7(),
        version: 1,
        createdAt: now,
        updatedAt: now,
      });
      await tx.insert(MessageEntity, message);
      await this.outbox.append(tx, messageReceived, { messageId: message.id }, context);
      return messageView(message);
    });
  }

  /** INVALID_INPUT, UNAVAILABLE for a search that takes too long. */
  async list({
    search,
    messageStatus,
    from,
    to,
    sort,
    direction,
    ...request
  }: ListInput): Promise<PageOf<Message>> {
    return boundedSearch(this.dataSource, search, async (manager) => {
      const chosen = manager.createQueryBuilder(MessageEntity, 'message');
      if (messageStatus) chosen.where({ messageStatus });
      if (from) chosen.andWhere('message.createdAt >= :from', { from });
      if (to) chosen.andWhere('message.createdAt <= :to', { to });
      if (search) {
        const searched = ['fullName', 'emailAddress', 'subject', 'message'] as const;
        const condition = searched.map((field) => `message.${field} ILIKE :pattern`).join(' OR ');
        chosen.andWhere(`(${condition})`, { pattern: containing(search) });
      }
      const total = await this.totals.of(chosen);
      const { items, nextCursor } = await listPage(chosen, request, { ...orders[sort], direction });
      return { items: items.map(messageView), total, nextCursor };
    });
  }

  /** Throws NOT_FOUND. */
  async item(id: string): Promise<Message> {
    const message = isUuid(id) ? await this.dataSource.manager.findOneBy(MessageEntity, { id }) : null;
    if (!message) throw new DomainError('NOT_FOUND');
    return messageView(message);
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION: the one way is to Read. */
  setStatus(
    {
      messageStatus,
      ...chosen
    }: Chosen & Pick<HandlerInput<typeof messagingContract.setMessageStatus>, 'messageStatus'>,
    context: RequestContext,
  ): Promise<Output<typeof messagingContract.setMessageStatus>> {
    return this.inbox.once(context, async (tx) => {
      const message = await this.hold(tx, chosen);
      if (messageStatus !== 'Read') throw new DomainError('INVALID_TRANSITION');
      if (message.messageStatus === 'Read') return { record: messageView(message), modified: false };
      await this.markRead(tx, message, context);
      return { record: messageView(message), modified: true };
    });
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH. */
  remove(chosen: Chosen, context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const message = await this.hold(tx, chosen);
      await this.take(tx, [message], context);
      return { _id: message.id };
    });
  }

  /** Those that are read already count as done. Of each: NOT_FOUND. */
  readAll(ids: string[], context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const { found, outcome } = await this.holdAll(tx, ids);
      for (const message of found.filter(({ messageStatus }) => messageStatus === 'UnRead'))
        await this.markRead(tx, message, context);
      return outcome;
    });
  }

  /** Of each: NOT_FOUND. */
  removeAll(ids: string[], context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const { found, outcome } = await this.holdAll(tx, ids);
      await this.take(tx, found, context);
      return outcome;
    });
  }

  /** For an hour after they were removed. Of each: NOT_FOUND. */
  restoreAll(ids: string[], context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const { restored, outcome } = await this.deleted.bringBack(tx, 'messages', ids);
      for (const message of await tx.findBy(MessageEntity, { id: In(restored) })) {
        await this.audit.record(tx, context.actor, {
          ...audited(message),
          change: 'restored',
          before: null,
          after: withoutText(message),
        });
      }
      return outcome;
    });
  }

  private async markRead(
    tx: EntityManager,
    message: MessageEntity,
    { actor }: RequestContext,
  ): Promise<void> {
    message.messageStatus = 'Read';
    message.version += 1;
    message.updatedAt = new Date();
    await tx.save(message);
    await this.audit.record(tx, actor, {
      ...audited(message),
      change: 'updated',
      before: { messageStatus: 'UnRead' },
      after: { messageStatus: 'Read' },
    });
  }

  private async take(
    tx: EntityManager,
    messages: readonly MessageEntity[],
    { actor }: RequestContext,
  ): Promise<void> {
    const ids = messages.map(({ id }) => id);
    await this.deleted.take(tx, 'messages', ids);
    for (const message of messages) {
      await this.audit.record(tx, actor, {
        ...audited(message),
        change: 'deleted',
        before: withoutText(message),
        after: null,
      });
    }
  }

  /** Those that there are, locked in one order, so that nobody waits for each other. */
  private async holdAll(
    tx: EntityManager,
    ids: string[],
  ): Promise<{ found: MessageEntity[]; outcome: BulkOutcome }> {
    const found = await tx.find(MessageEntity, {
      where: { id: In(ids) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return { found, outcome: bulkOutcomeOf(ids, found) };
  }

  /** The message, locked until the transaction ends. Throws NOT_FOUND, VERSION_MISMATCH. */
  private async hold(tx: EntityManager, { id, ifVersion }: Chosen): Promise<MessageEntity> {
    const message = isUuid(id)
      ? await tx.findOne(MessageEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      : null;
    if (!message) throw new DomainError('NOT_FOUND');
    if (ifVersion !== undefined && ifVersion !== message.version) {
      throw new DomainError('VERSION_MISMATCH', { current: messageView(message) });
    }
    return message;
  }
}

function audited({ id, subject, fullName }: MessageEntity) {
  return { section: 'message', recordId: id, name: `${subject} (${fullName})` };
}

/** Which message it was: what it said is not for the log, which is kept for good. */
function withoutText({ fullName, emailAddress, subject, messageStatus }: MessageEntity) {
  return { fullName, emailAddress, subject, messageStatus };
}

/** The message as it is answered. */
export function messageView(message: MessageEntity): Message {
  return {
    _id: message.id,
    fullName: message.fullName,
    emailAddress: message.emailAddress,
    subject: message.subject,
    message: message.message,
    messageStatus: message.messageStatus,
    createdAt: message.createdAt.toISOString(),
    updatedAt: message.updatedAt.toISOString(),
    version: message.version,
  };
}
