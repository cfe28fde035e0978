import { Module } from '@nestjs/common';
import { RecipientLimits } from '#libs/database';
import { repeatedWork } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { BroadcastModule } from '../broadcast/broadcast.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { PersonModule } from '../person/person.module.js';
import { ReportModule } from '../report/report.module.js';
import { TeamMemberModule } from '../team-member/team-member.module.js';
import { TeamRepository } from './team.repository.js';
import { TeamService } from './team.service.js';

@Module({
  imports: [AccessModule, BroadcastModule, EntryModule, PersonModule, ReportModule, TeamMemberModule],
  controllers: [controllerOf(TeamService)],
  providers: [
    ...[RecipientLimits, TeamRepository, TeamService],
    repeatedWork(
      TeamService,
      60 * 60_000,
      (teams) => teams.sweep(),
      'Deleting expired invitations and old records of mails failed',
    ),
  ],
  exports: [TeamService],
})
export class TeamModule {}
