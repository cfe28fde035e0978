import type { DatabaseOptions } from '#libs/database';
import type { DatabaseConfig } from '#libs/platform';
import { BriefEntity } from './brief/brief.entity.js';
import { DeliverableEntity } from './deliverable/deliverable.entity.js';
import { ReaderEntity } from './entry/reader.entity.js';
import { StaffEntryEntity } from './entry/staff-entry.entity.js';
import { ThreadEntryEntity } from './entry/thread-entry.entity.js';
import { migrations } from './migrations/index.js';
import { PersonEntity } from './person/person.entity.js';
import { ProjectAssigneeEntity } from './project/project-assignee.entity.js';
import { ProjectOrderEntity } from './project/project-order.entity.js';
import { ProjectEntity } from './project/project.entity.js';
import { ReportLinkEntity } from './report/report-link.entity.js';
import { TeamMemberEntity } from './team-member/team-member.entity.js';
import { TeamInvitationEntity } from './team/team-invitation.entity.js';
import { TeamEntity } from './team/team.entity.js';
import { ProjectSettingsEntity } from './template/project-settings.entity.js';
import { ProjectTemplateEntity } from './template/project-template.entity.js';

export function projectsDatabase(config: DatabaseConfig): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    migrationsAtStart: config.DATABASE_MIGRATIONS,
    applicationName: 'projects',
    entities: [
      ...[ProjectEntity, ProjectOrderEntity, ProjectAssigneeEntity],
      ...[ProjectTemplateEntity, ProjectSettingsEntity, BriefEntity, DeliverableEntity],
      ...[ThreadEntryEntity, StaffEntryEntity, ReaderEntity, PersonEntity],
      ...[TeamEntity, TeamMemberEntity, TeamInvitationEntity],
      ReportLinkEntity,
    ],
    migrations,
  };
}
