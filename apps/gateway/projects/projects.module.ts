import { Module } from '@nestjs/common';
import {
  briefOperations,
  projectFileOperations,
  projectOperations,
  projectTemplateOperations,
  reportOperations,
  staffBriefOperations,
  staffProjectOperations,
  staffThreadOperations,
  teamOperations,
  threadOperations,
} from '#libs/contracts';
import { AuthModule } from '../auth/auth.module.js';
import { relayControllerOf } from '../routing/serves.js';
import { ThreadStreams } from './thread-streams.js';
import { ThreadUpdatesController } from './thread-updates.controller.js';

@Module({
  imports: [AuthModule],
  controllers: [
    ...[projectOperations, briefOperations, threadOperations, reportOperations, projectFileOperations],
    ...[staffProjectOperations, staffBriefOperations, staffThreadOperations],
    ...[projectTemplateOperations, teamOperations],
  ]
    .map(relayControllerOf)
    .concat(ThreadUpdatesController),
  providers: [ThreadStreams],
})
export class ProjectsModule {}
