import { Module } from '@nestjs/common';
import { TeamMemberRepository } from './team-member.repository.js';

/** Separate from `TeamModule`, which changes teams: access to projects depends on the members of teams, but on nothing else of that module. */
@Module({ providers: [TeamMemberRepository], exports: [TeamMemberRepository] })
export class TeamMemberModule {}
