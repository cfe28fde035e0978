import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TeamRole } from '#libs/contracts';

/** An invitation to a customer's team that is not accepted yet. */
@Entity('team_invitations')
export class TeamInvitationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** The customer's account. */
  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  email!: string;

  /** The colleague's name. */
  @Column('text')
  name!: string;

  @Column('text')
  role!: TeamRole;

  /** SHA-256 of the token in the mail. */
  @Column('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('timestamptz', { name: 'sent_at' })
  sentAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
