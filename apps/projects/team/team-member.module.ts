import { Module } from '@nestjs/common';
import { TeamMemberRepository } from './team-member.repository.js';

/** Apart from the service that changes teams, because access to every project depends on its members. */
@Module({ providers: [TeamMemberRepository], exports: [TeamMemberRepository] })
export class TeamMemberModule {}
