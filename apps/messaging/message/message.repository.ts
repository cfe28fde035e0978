import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import type { HandlerInput, messagingContract, PageOf } from '#libs/contracts';
import { type ListOrder, newestFirst, RecordLists, RecordRepository } from '#libs/database';
import { Clock } from '#libs/runtime';
import { MessageEntity, type ThreadEntry } from './message.entity.js';

type ListRequest = HandlerInput<typeof messagingContract.listMessages>;

const sortOrders: Record<ListRequest['sort'], Omit<ListOrder<MessageEntity>, 'direction'>> = {
  createdAt: { by: newestFirst.by, kind: newestFirst.kind },
  fullName: { by: 'nameSorted', kind: 'text' },
};

@Injectable()
export class MessageRepository extends RecordRepository<MessageEntity> {
  constructor(
    dataSource: DataSource,
    clock: Clock,
    private readonly lists: RecordLists,
  ) {
    super(MessageEntity, dataSource, clock);
  }

  list({
    messageStatus,
    answered,
    emailAddress,
    from,
    to,
    sort,
    direction,
    ...request
  }: ListRequest): Promise<PageOf<MessageEntity>> {
    return this.lists.page(MessageEntity, request, {
      order: { ...sortOrders[sort], direction },
      searched: ['fullName', 'emailAddress', 'subject', 'message'],
      filter: (records) => {
        if (messageStatus) records.andWhere({ messageStatus });
        if (answered !== undefined) records.andWhere({ answeredAt: answered ? Not(IsNull()) : IsNull() });
        if (emailAddress)
          records.andWhere('lower(record.email_address) = :address', { address: emailAddress.toLowerCase() });
        if (from) records.andWhere('record.createdAt >= :from', { from });
        if (to) records.andWhere('record.createdAt <= :to', { to });
      },
    });
  }

  async threads(manager: EntityManager, ids: readonly string[]): Promise<Map<string, ThreadEntry[]>> {
    const rows = await manager.sql<{ id: string; thread: ThreadEntry[] }[]>`
      SELECT id, thread FROM messages WHERE id = ANY (${ids}::uuid[])`;
    return new Map(rows.map(({ id, thread }) => [id, thread]));
  }

  /** `address` is in lower case. */
  newestFrom(address: string, limit: number): Promise<MessageEntity[]> {
    return this.dataSource
      .createQueryBuilder(MessageEntity, 'message')
      .where('lower(message.email_address) = :address', { address })
      .orderBy('message.createdAt', 'DESC')
      .addOrderBy('message.id', 'DESC')
      .take(limit)
      .getMany();
  }

  /** Returns the ids of the deleted messages. `address` is in lower case. */
  async deleteForPerson(tx: EntityManager, address: string): Promise<string[]> {
    const [rows] = await tx.sql<[{ id: string }[], number]>`
      DELETE FROM messages WHERE lower(email_address) = ${address} RETURNING id`;
    return rows.map(({ id }) => id);
  }
}
