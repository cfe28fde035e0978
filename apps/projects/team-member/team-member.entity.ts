import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TeamRole } from '#libs/contracts';

@Entity('team_members')
export class TeamMemberEntity {
  /** The customer's account. */
  @PrimaryColumn('uuid', { name: 'owner_id' })
  ownerId!: string;

  /** The colleague's account. */
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  role!: TeamRole;

  @Column('text')
  name!: string;

  /** The account's address when the invitation was accepted. */
  @Column('text')
  email!: string;

  @Column('timestamptz', { name: 'joined_at' })
  joinedAt!: Date;
}
