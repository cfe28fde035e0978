import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { TeamRole } from '#libs/contracts';
import { TeamMemberEntity } from './team-member.entity.js';

@Injectable()
export class TeamMemberRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null if the account is not in the owner’s team. */
  async roleOf(
    ownerId: string,
    accountId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<TeamRole | null> {
    const member = await manager.findOneBy(TeamMemberEntity, { ownerId, accountId });
    return member?.role ?? null;
  }

  /** The accounts that have this role in the owner’s team. */
  async accountIdsIn(ownerId: string, role: TeamRole): Promise<string[]> {
    const found = await this.dataSource.manager.findBy(TeamMemberEntity, { ownerId, role });
    return found.map(({ accountId }) => accountId);
  }

  /** The owners of the teams in which the account has this role. */
  async ownerIdsOf(
    accountId: string,
    role: TeamRole,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<string[]> {
    const found = await manager.findBy(TeamMemberEntity, { accountId, role });
    return found.map(({ ownerId }) => ownerId);
  }
}
