import { Module } from '@nestjs/common';
import { TeamMemberRepository } from './team-member.repository.js';

/** Separate from `TeamModule`, which changes teams, because access to every project depends on their members. */
@Module({ providers: [TeamMemberRepository], exports: [TeamMemberRepository] })
export class TeamMemberModule {}
