import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { HandlerInput, Output, teamContract } from '#libs/contracts';
import { customerNameSql } from '../person/person.repository.js';
import { TeamMemberEntity } from '../team-member/team-member.entity.js';
import { TeamInvitationEntity } from './team-invitation.entity.js';
import { TeamEntity } from './team.entity.js';

export interface Membership {
  ownerId: string;
  ownerName: string;
  role: TeamMemberEntity['role'];
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class TeamRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates the team if necessary, and locks it until the transaction ends. Returns its version, which every call raises. */
  async lock(tx: EntityManager, ownerId: string): Promise<number> {
    const [team] = await tx.sql<[{ version: number }]>`
      INSERT INTO teams AS t (owner_id, version) VALUES (${ownerId}, 1)
      ON CONFLICT (owner_id) DO UPDATE SET version = t.version + 1 RETURNING version`;
    return team.version;
  }

  exists(tx: EntityManager, ownerId: string): Promise<boolean> {
    return tx.existsBy(TeamEntity, { ownerId });
  }

  /** In the order in which they joined. */
  listMembers(ownerId: string, manager = this.dataSource.manager): Promise<TeamMemberEntity[]> {
    return manager.find(TeamMemberEntity, {
      where: { ownerId },
      order: { joinedAt: 'ASC', accountId: 'ASC' },
    });
  }

  listMemberships(accountId: string): Promise<Membership[]> {
    // The alias must not be `p`, `j` or `m`, which `customerNameSql` uses for its own rows.
    return this.dataSource.sql<Membership[]>`
      SELECT o.owner_id AS "ownerId", coalesce(${() => customerNameSql('o.owner_id')}, '') AS "ownerName", o.role
      FROM team_members o WHERE o.account_id = ${accountId} ORDER BY o.joined_at, o.owner_id`;
  }

  async findMember(tx: EntityManager, ownerId: string, accountId: string): Promise<TeamMemberEntity | null> {
    return isUuid(accountId) && isUuid(ownerId)
      ? tx.findOneBy(TeamMemberEntity, { ownerId, accountId })
      : null;
  }

  /** The members with the role `billing` in all teams, sorted by the ids of owner and member. With `after`, only those after that member. */
  listBillingMembers({
    after,
    limit,
  }: HandlerInput<typeof teamContract.listBillingMembers>): Promise<
    Output<typeof teamContract.listBillingMembers>
  > {
    const { ownerId, accountId } = after ?? { ownerId: nilUuid, accountId: nilUuid };
    return this.dataSource.sql`
      SELECT m.owner_id AS "ownerId", m.account_id AS "accountId", t.version
      FROM team_members m JOIN teams t USING (owner_id)
      WHERE m.role = 'billing' AND (m.owner_id, m.account_id) > (${ownerId}::uuid, ${accountId}::uuid)
      ORDER BY m.owner_id, m.account_id LIMIT ${limit}`;
  }

  async saveMember(tx: EntityManager, member: TeamMemberEntity): Promise<void> {
    await tx.upsert(TeamMemberEntity, member, ['ownerId', 'accountId']);
  }

  async deleteMember(tx: EntityManager, { ownerId, accountId }: TeamMemberEntity): Promise<void> {
    await tx.delete(TeamMemberEntity, { ownerId, accountId });
  }

  /** The oldest first. */
  listInvitations(ownerId: string, manager = this.dataSource.manager): Promise<TeamInvitationEntity[]> {
    return manager.find(TeamInvitationEntity, { where: { ownerId }, order: { id: 'ASC' } });
  }

  findInvitation(tokenHash: Buffer, manager = this.dataSource.manager): Promise<TeamInvitationEntity | null> {
    return manager.findOneBy(TeamInvitationEntity, { tokenHash });
  }

  async insertInvitation(tx: EntityManager, invitation: TeamInvitationEntity): Promise<void> {
    await tx.insert(TeamInvitationEntity, invitation);
  }

  /** Returns whether there was such an invitation. */
  async deleteInvitation(tx: EntityManager, ownerId: string, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { affected } = await tx.delete(TeamInvitationEntity, { ownerId, id });
    return affected === 1;
  }

  /** The row of the team stays, because its version must keep growing. */
  async deleteMembersAndInvitations(tx: EntityManager, ownerId: string): Promise<void> {
    await tx.delete(TeamInvitationEntity, { ownerId });
    await tx.delete(TeamMemberEntity, { ownerId });
  }

  /** The owners of the teams that the account belongs to. Sorted, so that concurrent transactions lock these teams in the same order. */
  async ownerIdsOf(tx: EntityManager, accountId: string): Promise<string[]> {
    const found = await tx.findBy(TeamMemberEntity, { accountId });
    return found.map(({ ownerId }) => ownerId).sort();
  }

  async deleteInvitationsExpiredBefore(time: Date): Promise<void> {
    await this.dataSource.sql`DELETE FROM team_invitations WHERE expires_at < ${time}`;
  }
}
