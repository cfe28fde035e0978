import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A WebAuthn credential that signs somebody in. */
@Entity('passkeys')
export class PasskeyEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** The id that the authenticator gave the credential, in base64url. */
  @Column('text', { name: 'credential_id' })
  credentialId!: string;

  @Column('bytea', { name: 'public_key' })
  publicKey!: Buffer;

  /** The authenticator's signature counter (WebAuthn, section 6.1.1). The driver reads a bigint as a string. */
  @Column('bigint')
  counter!: string;

  @Column('text', { array: true })
  transports!: string[];

  /** Whether a passkey provider, such as a cloud keychain or a password manager, keeps a copy (WebAuthn: backup state). */
  @Column('boolean')
  synced!: boolean;

  @Column('text')
  name!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
