import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { customerContract, HandlerInput, PageOf } from '#libs/contracts';
import { type ListOrder, RecordLists } from '#libs/database';
import { CustomerEntity } from './customer.entity.js';

type ListRequest = HandlerInput<typeof customerContract.listCustomers>;

const sortOrders: Record<ListRequest['sort'], Omit<ListOrder<CustomerEntity>, 'direction'>> = {
  lastOrderAt: { by: 'lastOrderAt', kind: 'moment' },
  name: { by: 'nameSorted', kind: 'text' },
  spent: { by: 'spentCents', kind: 'integer' },
};

@Injectable()
export class CustomerRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lists: RecordLists,
  ) {}

  list({ email, sort, direction, ...request }: ListRequest): Promise<PageOf<CustomerEntity>> {
    return this.lists.page(CustomerEntity, request, {
      order: { ...sortOrders[sort], direction },
      searched: ['name', 'email'],
      filter: (records) => {
        if (email) records.andWhere('lower(record.email) = :address', { address: email.toLowerCase() });
      },
    });
  }

  /** With a transaction, locks the row. */
  async find(accountId: string, tx?: EntityManager): Promise<CustomerEntity | null> {
    if (!isUuid(accountId)) return null;
    const manager = tx ?? this.dataSource.manager;
    return manager.findOne(CustomerEntity, {
      where: { id: accountId },
      ...(tx && { lock: { mode: 'pessimistic_write' } }),
    });
  }

  async delete(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(CustomerEntity, accountId);
  }
}
