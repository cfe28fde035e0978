import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where customers' money goes. The table holds one row at most. */
@Entity('paypal_email')
export class PaypalEmailEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'paypal_email' })
  paypalEmail!: string;

  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
