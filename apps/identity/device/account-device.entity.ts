import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A device from which somebody signed in to an account. */
@Entity('account_devices')
export class AccountDeviceEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** SHA-256 of what identifies the device. */
  @PrimaryColumn('bytea', { name: 'device_hash' })
  deviceHash!: Buffer;

  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt!: Date;
}
