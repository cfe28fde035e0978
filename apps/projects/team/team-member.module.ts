import { Module } from '@nestjs/common';
import { TeamMemberRepository } from './team-member.repository.js';

/** Separate from the service that changes teams, because access to every project depends on the members of teams. */
@Module({ providers: [TeamMemberRepository], exports: [TeamMemberRepository] })
export class TeamMemberModule {}
