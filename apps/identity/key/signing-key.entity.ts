import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A `next` key is published before it signs, so that verifiers have it in time. Exactly one key is `current` and signs. Replicas stop signing with a
 * `retired` key within a minute; it stays published as long as one of its tokens may be valid.
 */
export type SigningKeyState = 'next' | 'current' | 'retired';

@Entity('signing_keys')
export class SigningKeyEntity {
  /** RFC 7638 thumbprint of the public key. */
  @PrimaryColumn('text')
  kid!: string;

  @Column('text')
  algorithm!: string;

  @Column('text')
  state!: SigningKeyState;

  @Column('jsonb', { name: 'public_jwk' })
  publicJwk!: Record<string, unknown>;

  /** PKCS #8 in PEM, encrypted with `KEY_ENCRYPTION_SECRET` if that was set when the key was stored. */
  @Column('text', { name: 'private_key' })
  privateKey!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt!: Date | null;
}
