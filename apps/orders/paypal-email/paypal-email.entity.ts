import { Column, Entity } from 'typeorm';
import { VersionedRecord } from '#libs/database';

/** Where customers' money goes. The table holds one row at most. */
@Entity('paypal_email')
export class PaypalEmailEntity extends VersionedRecord {
  @Column('text', { name: 'paypal_email' })
  paypalEmail!: string;
}
