import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { TeamRole } from '#libs/contracts';
import { TeamMemberEntity } from './team-member.entity.js';

/** The table `team_members`. */
@Injectable()
export class TeamMemberRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** What somebody may do in a customer's team; null if they are not in it. */
  async roleOf(
    ownerId: string,
    accountId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<TeamRole | null> {
    const member = await manager.findOneBy(TeamMemberEntity, { ownerId, accountId });
    return member?.role ?? null;
  }

  /** The accounts with this role in a customer's team. */
  async accountsIn(ownerId: string, role: TeamRole): Promise<string[]> {
    const found = await this.dataSource.manager.findBy(TeamMemberEntity, { ownerId, role });
    return found.map(({ accountId }) => accountId);
  }

  /** The customers in whose teams somebody has this role. */
  async ownersOf(
    accountId: string,
    role: TeamRole,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<string[]> {
    const found = await manager.findBy(TeamMemberEntity, { accountId, role });
    return found.map(({ ownerId }) => ownerId);
  }
}
