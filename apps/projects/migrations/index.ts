import { auditMigrations, outboxAndInboxMigrations, recipientLimitsMigrations } from '#libs/database';
import { Projects1774000000000 } from './1774000000000-projects.js';
import { Threads1774000100000 } from './1774000100000-threads.js';
import { ProjectFiles1774000200000 } from './1774000200000-project-files.js';
import { Teams1774000300000 } from './1774000300000-teams.js';
import { ReportsAndMails1774000400000 } from './1774000400000-reports-and-mails.js';
import { FileTasks1774000500000 } from './1774000500000-file-tasks.js';
import { UnreadChecks1774000600000 } from './1774000600000-unread-checks.js';
import { RemovedSteps1774000700000 } from './1774000700000-removed-steps.js';
import { EventReasons1774000800000 } from './1774000800000-event-reasons.js';
import { EndedPlans1774000900000 } from './1774000900000-ended-plans.js';

/** Migrations run in the order of the timestamps in their names, whatever the order of this list. */
export const migrations = [
  ...outboxAndInboxMigrations,
  ...auditMigrations,
  ...recipientLimitsMigrations,
  Projects1774000000000,
  Threads1774000100000,
  ProjectFiles1774000200000,
  Teams1774000300000,
  ReportsAndMails1774000400000,
  FileTasks1774000500000,
  UnreadChecks1774000600000,
  RemovedSteps1774000700000,
  EventReasons1774000800000,
  EndedPlans1774000900000,
];
