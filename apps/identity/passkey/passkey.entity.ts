import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('passkeys')
export class PasskeyEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** From the authenticator, in base64url. */
  @Column('text', { name: 'credential_id' })
  credentialId!: string;

  @Column('bytea', { name: 'public_key' })
  publicKey!: Buffer;

  /** The authenticator's signature counter (WebAuthn, section 6.1.1). The driver reads a bigint as a string. */
  @Column('bigint')
  counter!: string;

  @Column('text', { array: true })
  transports!: string[];

  /** Whether a passkey provider, such as a cloud keychain, keeps a copy (WebAuthn: backup state). */
  @Column('boolean')
  synced!: boolean;

  @Column('text')
  name!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
