import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Actor,
  type BriefQuestion,
  messagesUnread,
  projectOpened,
  projectReminderDue,
  type ProjectState,
  projectStateChanged,
  teamChanged,
  type TeamRole,
} from '#libs/contracts';
import { startService } from '#libs/platform';
import { actors, builtProgram, startServiceUnderTest } from '#libs/testing';
import { AppModule } from '../app.module.js';
import { projectsSettings } from '../config.js';

type Event =
  | typeof projectOpened
  | typeof projectStateChanged
  | typeof projectReminderDue
  | typeof messagesUnread
  | typeof teamChanged;

export const customerNamed = (name: string) => ({
  ...actors.customer,
  accountId: randomUUID(),
  email: `${name}@example.com`,
});

export const adminNamed = (name: string) => ({
  ...actors.admin,
  accountId: randomUUID(),
  email: `${name}@staff.example.com`,
});

interface PutProject {
  accountId?: string;
  state?: ProjectState;
  title?: string;
  assignees?: string[];
}

/** Starts two replicas. */
export async function startProjects(env: Record<string, string> = {}) {
  const filesDir = await mkdtemp(join(tmpdir(), 'project-files-'));
  const projects = await startServiceUnderTest<Event>({
    service: 'projects',
    startReplica: ({ databaseUrl, redisUrl }) => {
      const config = projectsSettings.parse({
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        // The folder of all stored files, in spite of its name.
        IMAGES_DIR: filesDir,
        HEALTH_PORT: '0',
        HEALTH_HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
        PUBLIC_URL: 'http://site.test',
        ...env,
      });
      return startService({
        name: 'projects',
        config,
        module: AppModule.forRoot(config, builtProgram('mail-reader'), builtProgram('preview-child')),
      });
    },
    replicaCount: 2,
    follows: [projectOpened, projectStateChanged, projectReminderDue, messagesUnread, teamChanged],
    followsAs: 'messaging',
  });
  let lastNumber = 1000;

  return {
    ...projects,
    filesDir,
    /** Inserts a project without entries. */
    put: async ({
      accountId = actors.customer.accountId,
      state = 'in_progress',
      title = 'SEO audit',
      assignees = [],
    }: PutProject = {}): Promise<string> => {
      const id = randomUUID();
      lastNumber += 1;
      await projects.sql.query(
        `INSERT INTO projects (id, version, client_version, created_at, updated_at, number, account_id, customer_name,
           customer_email, package_name, title, state, state_since, labels, checklist, active_at)
         VALUES ($1, 1, 1, now(), now(), $2, $3, 'Ada Lovelace', 'ada@example.com', $5, $5, $4, now(), '{}', '[]', now())`,
        [id, lastNumber, accountId, state, title],
      );
      await projects.sql.query(
        `INSERT INTO project_orders (order_id, project_id, number, paid_at, order_status, order_version)
         VALUES (gen_random_uuid(), $1, $2, now(), 'Pending', 2)`,
        [id, lastNumber],
      );
      for (const assignee of assignees)
        await projects.sql.query(
          `INSERT INTO project_assignees (project_id, account_id, email) VALUES ($1, $2, 'eve@example.com')`,
          [id, assignee],
        );
      return id;
    },
    giveBrief: async (projectId: string, questions: readonly BriefQuestion[] = []) => {
      const packageId = randomUUID();
      await projects.sql.query(
        `INSERT INTO project_templates (package_id, version, package_name, questions, checklist, introduction, welcome, created_at)
         VALUES ($1, 1, 'SEO audit', $2, '{}', '', '', now())`,
        [packageId, JSON.stringify(questions)],
      );
      // The column `briefs.questions` is the number of questions.
      await projects.sql.query(
        `INSERT INTO briefs (project_id, package_id, template_version, questions, answers, version)
         VALUES ($1, $2, 1, $3, '{}', 1)`,
        [projectId, packageId, questions.length],
      );
    },
    /** Makes somebody a colleague of a customer, without an invitation. */
    join: async (ownerId: string, member: Actor, role: TeamRole = 'member') => {
      if (!('accountId' in member)) throw new Error('Only people join teams');
      await projects.sql.query(
        `INSERT INTO teams (owner_id, version) VALUES ($1, 1) ON CONFLICT (owner_id) DO UPDATE SET version = teams.version + 1`,
        [ownerId],
      );
      await projects.sql.query(
        `INSERT INTO team_members (owner_id, account_id, role, name, email, joined_at)
         VALUES ($1, $2, $3, 'A colleague', $4, now())`,
        [ownerId, member.accountId, role, member.email],
      );
    },
    stop: async () => {
      await projects.stop();
      await rm(filesDir, { recursive: true });
    },
  };
}

export type ProjectsUnderTest = Awaited<ReturnType<typeof startProjects>>;
