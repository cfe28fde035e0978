import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RecordRepository } from '#libs/database';
import { Clock } from '#libs/runtime';
import { PaypalEmailEntity } from './paypal-email.entity.js';

@Injectable()
export class PaypalEmailRepository extends RecordRepository<PaypalEmailEntity> {
  constructor(dataSource: DataSource, clock: Clock) {
    super(PaypalEmailEntity, dataSource, clock);
  }

  /** Null while no address is set. */
  async findCurrent(tx: EntityManager = this.dataSource.manager): Promise<PaypalEmailEntity | null> {
    const [record] = await tx.find(PaypalEmailEntity, { take: 1 });
    return record ?? null;
  }
}
