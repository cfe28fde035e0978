import { Column, Entity } from 'typeorm';
import { VersionedRecord } from '#libs/database';

/** The account that receives payments through Payments Standard. The table has at most one row. */
@Entity('paypal_email')
export class PaypalEmailEntity extends VersionedRecord {
  @Column('text', { name: 'paypal_email' })
  paypalEmail!: string;
}
