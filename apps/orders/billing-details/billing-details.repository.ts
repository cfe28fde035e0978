import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BillingDetails } from '#libs/contracts';
import { BillingDetailsEntity } from './billing-details.entity.js';

@Injectable()
export class BillingDetailsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null if the account has given none, or has cleared all of them. */
  async find(
    accountId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<BillingDetails | null> {
    const details = (await manager.findOneBy(BillingDetailsEntity, { accountId }))?.details;
    return details && Object.values(details).some((value) => value !== '') ? details : null;
  }

  async save(tx: EntityManager, entity: BillingDetailsEntity): Promise<void> {
    await tx.upsert(BillingDetailsEntity, entity, ['accountId']);
  }

  async delete(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(BillingDetailsEntity, { accountId });
  }
}
