import { Column, Entity, PrimaryColumn } from 'typeorm';

export type SessionEndReason =
  | 'signed-out'
  /** The person ended it from another session, or ended all their sessions. */
  | 'signed-out-elsewhere'
  | 'token-reused'
  | 'password-changed'
  | 'password-reset'
  /** The account was reclaimed; stored under this older name. */
  | 'account-taken-over';

/** One sign-in with its refresh tokens. Its id is the `sid` of its access tokens. */
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

  /** Each refresh postpones it, up to the absolute limit counted from `createdAt`. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Of the sign-in or the last refresh. */
  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  /** The client's IP address at the sign-in or the last refresh. */
  @Column('text')
  address!: string;

  /** Set at the sign-in, and again whenever `SessionService.reauthenticate` makes the session fresh. */
  @Column('timestamptz', { name: 'authenticated_at' })
  authenticatedAt!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  @Column('text', { name: 'end_reason', nullable: true })
  endReason!: SessionEndReason | null;
}
