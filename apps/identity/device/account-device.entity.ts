import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A device that an account was signed in from. */
@Entity('account_devices')
export class AccountDeviceEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** SHA-256 of what the device is known by. */
  @PrimaryColumn('bytea', { name: 'device_hash' })
  deviceHash!: Buffer;

  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt!: Date;
}
