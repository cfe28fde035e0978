import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BillingDetails } from '#libs/contracts';

@Entity('billing_details')
export class BillingDetailsEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('jsonb')
  details!: BillingDetails;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
