import { Column, Entity, PrimaryColumn } from 'typeorm';

export type SessionEndReason =
  | 'signed-out'
  | 'signed-out-elsewhere'
  | 'token-reused'
  | 'password-changed'
  | 'password-reset'
  | 'account-taken-over';

/** One sign-in: the family that all its refresh tokens belong to, named by `sid` in its access tokens. */
@Entity('sessions')
export class SessionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt!: Date;

  /** Moves ahead with each refresh, up to the absolute bound counted from `createdAt`. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** What the browser called itself, and from where: for the owner's list of sessions. */
  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  @Column('text')
  address!: string;

  /** When its person last proved who they are: at the sign-in, or since. */
  @Column('timestamptz', { name: 'authenticated_at' })
  authenticatedAt!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  @Column('text', { name: 'end_reason', nullable: true })
  endReason!: SessionEndReason | null;
}
