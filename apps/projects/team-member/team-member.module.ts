import { Module } from '@nestjs/common';
import { TeamMemberRepository } from './team-member.repository.js';

/** Separate from `TeamModule`, because access to projects depends on the members of teams, but on nothing else of it. */
@Module({ providers: [TeamMemberRepository], exports: [TeamMemberRepository] })
export class TeamMemberModule {}
