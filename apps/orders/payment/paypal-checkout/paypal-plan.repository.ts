import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PaypalPlanEntity } from './paypal-plan.entity.js';

/** The table `billing_plans`. */
@Injectable()
export class PaypalPlanRepository {
  constructor(private readonly dataSource: DataSource) {}

  find(where: Partial<PaypalPlanEntity>): Promise<PaypalPlanEntity | null> {
    return this.dataSource.manager.findOneBy(PaypalPlanEntity, where);
  }

  /** If another process has stored the plan meanwhile, nothing changes. */
  async add(plan: PaypalPlanEntity): Promise<void> {
    await this.dataSource.manager
      .createQueryBuilder()
      .insert()
      .into(PaypalPlanEntity)
      .values(plan)
      .orIgnore()
      .execute();
  }
}
