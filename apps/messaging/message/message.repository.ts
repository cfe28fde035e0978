import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { HandlerInput, messagingContract, PageOf } from '#libs/contracts';
import {
  boundedSearch,
  containing,
  type ListOrder,
  listPage,
  ListTotals,
  newestFirst,
  updateRecord,
} from '#libs/database';
import { MessageEntity } from './message.entity.js';

type ListRequest = HandlerInput<typeof messagingContract.listMessages>;

const orders: Record<ListRequest['sort'], Omit<ListOrder<MessageEntity>, 'direction'>> = {
  createdAt: newestFirst,
  fullName: { by: 'nameSorted', kind: 'text' },
};

/** The table `messages`. */
@Injectable()
export class MessageRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly totals: ListTotals,
  ) {}

  async insert(tx: EntityManager, message: MessageEntity): Promise<void> {
    await tx.insert(MessageEntity, message);
  }

  /** Changes fields of a message that the caller has locked. */
  update(
    tx: EntityManager,
    message: MessageEntity,
    fields: Partial<MessageEntity>,
    now: Date,
  ): Promise<void> {
    return updateRecord(tx, MessageEntity, message, fields, now);
  }

  /** INVALID_INPUT; UNAVAILABLE for a search that takes too long. */
  list({
    search,
    messageStatus,
    from,
    to,
    sort,
    direction,
    ...request
  }: ListRequest): Promise<PageOf<MessageEntity>> {
    return boundedSearch(this.dataSource, search, async (manager) => {
      const selected = manager.createQueryBuilder(MessageEntity, 'message');
      if (messageStatus) selected.where({ messageStatus });
      if (from) selected.andWhere('message.createdAt >= :from', { from });
      if (to) selected.andWhere('message.createdAt <= :to', { to });
      if (search) {
        const searched = ['fullName', 'emailAddress', 'subject', 'message'] as const;
        const condition = searched.map((field) => `message.${field} ILIKE :pattern`).join(' OR ');
        selected.andWhere(`(${condition})`, { pattern: containing(search) });
      }
      const total = await this.totals.of(selected);
      return { total, ...(await listPage(selected, request, { ...orders[sort], direction })) };
    });
  }

  async find(id: string): Promise<MessageEntity | null> {
    return isUuid(id) ? this.dataSource.manager.findOneBy(MessageEntity, { id }) : null;
  }

  /** Locks the message until the transaction ends. */
  async lock(tx: EntityManager, id: string): Promise<MessageEntity | null> {
    return isUuid(id)
      ? tx.findOne(MessageEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      : null;
  }

  /** Locks those that exist, in the order of their ids, which prevents deadlocks. */
  lockMany(tx: EntityManager, ids: readonly string[]): Promise<MessageEntity[]> {
    return tx.find(MessageEntity, {
      where: { id: In(ids) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** The newest `limit` messages from this address, which is in lower case. */
  newestFrom(address: string, limit: number): Promise<MessageEntity[]> {
    return this.dataSource
      .createQueryBuilder(MessageEntity, 'message')
      .where('lower(message.email_address) = :address', { address })
      .orderBy('message.createdAt', 'DESC')
      .addOrderBy('message.id', 'DESC')
      .take(limit)
      .getMany();
  }

  async deleteForPerson(tx: EntityManager, address: string): Promise<void> {
    await tx.sql`DELETE FROM messages WHERE lower(email_address) = ${address}`;
  }
}
