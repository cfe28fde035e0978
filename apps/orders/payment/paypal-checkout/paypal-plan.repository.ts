import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PaypalPlanEntity } from './paypal-plan.entity.js';

@Injectable()
export class PaypalPlanRepository {
  constructor(private readonly dataSource: DataSource) {}

  find(where: Partial<PaypalPlanEntity>): Promise<PaypalPlanEntity | null> {
    return this.dataSource.manager.findOneBy(PaypalPlanEntity, where);
  }

  /** Does nothing if another process has stored the plan meanwhile. */
  async insertIfAbsent(plan: PaypalPlanEntity): Promise<void> {
    await this.dataSource.manager
      .createQueryBuilder()
      .insert()
      .into(PaypalPlanEntity)
      .values(plan)
      .orIgnore()
      .execute();
  }
}
