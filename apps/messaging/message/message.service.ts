import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
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
import { boundedSearch } from '../bounded-search.js';
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
  async list({ search, messageStatus, sort, direction, ...request }: ListInput): Promise<PageOf<Message>> {
    return boundedSearch(this.dataSource, search, async (manager) => {
      const chosen = manager.createQueryBuilder(MessageEntity, 'message');
      if (messageStatus) chosen.where({ messageStatus });
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
      message.messageStatus = 'Read';
      message.version += 1;
      message.updatedAt = new Date();
      await tx.save(message);
      await this.audit.record(tx, context.actor, {
        ...audited(message),
        change: 'updated',
        before: { messageStatus: 'UnRead' },
        after: { messageStatus: 'Read' },
      });
      return { record: messageView(message), modified: true };
    });
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH. */
  remove(chosen: Chosen, context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const message = await this.hold(tx, chosen);
      const { id, fullName, emailAddress, subject, messageStatus } = message;
      await tx.delete(MessageEntity, id);
      // Which message it was; what it said is gone with it.
      const before = { fullName, emailAddress, subject, messageStatus };
      await this.audit.record(tx, context.actor, {
        ...audited(message),
        change: 'deleted',
        before,
        after: null,
      });
      return { _id: id };
    });
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
