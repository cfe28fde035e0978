import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type DatabaseOptions, runMigrations } from '#libs/database';
import { freshDatabase, type TestDatabase } from '#libs/testing';
import { EndedPlans1774000900000 as EndedPlans } from '../migrations/1774000900000-ended-plans.js';
import { migrations } from '../migrations/index.js';

let database: TestDatabase;
let sql: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

const options = (chosen: DatabaseOptions['migrations']) => ({
  url: database.url,
  entities: [],
  migrations: chosen,
});

interface StoredProject {
  hasPlan: boolean;
  state: 'in_progress' | 'closed';
  /** The site closed the project, because its order was cancelled or its plan ended. */
  closed_by_order: boolean;
  /** The side of the thread's entry about the closing; null if there is none. */
  closedBy: 'staff' | 'system' | null;
}

/** Inserts a project as the release before the column `subscription_has_ended` did. */
async function insert({ hasPlan, closedBy, ...project }: StoredProject): Promise<string> {
  const id = randomUUID();
  const before = project.state === 'closed' ? 'in_progress' : null;
  await sql.query(
    `INSERT INTO projects (id, version, client_version, created_at, updated_at, number, account_id, customer_name,
       customer_email, package_name, title, subscription_id, state, state_before, closed_by_order, state_since,
       labels, checklist, active_at)
     VALUES ($1, 1, 1, now(), now(), 1001, gen_random_uuid(), 'Ada',
       'ada@example.com', 'Basic', 'Basic', $2, $3, $4, $5, now(),
       '{}', '[]', now())`,
    [id, hasPlan ? randomUUID() : null, project.state, before, project.closed_by_order],
  );
  if (closedBy)
    await sql.query(
      `INSERT INTO thread_entries (project_id, seq, change, kind, side, name, at, text, entries_for_customer,
         entries_for_staff, what, state)
       VALUES ($1, 1, 1, 'event', $2, 'Rankwell', now(), '', 1, 1, 'state_changed', 'closed')`,
      [id, closedBy],
    );
  return id;
}

const open = { hasPlan: true, state: 'in_progress', closed_by_order: false } as const;
const closed = { hasPlan: true, state: 'closed', closed_by_order: false } as const;

const projects: [description: string, hasEnded: boolean, StoredProject][] = [
  ['is open', false, { ...open, closedBy: null }],
  ['was closed by staff', false, { ...closed, closedBy: 'staff' }],
  ['was closed when its plan ended', true, { ...closed, closed_by_order: true, closedBy: 'system' }],
  ['began after its plan had ended', true, { ...closed, closed_by_order: true, closedBy: null }],
  ['was closed when its plan ended, and reopened by staff', true, { ...open, closedBy: 'system' }],
  [
    'was reopened by staff, but still has `closed_by_order`',
    true,
    { ...open, closed_by_order: true, closedBy: 'system' },
  ],
  ['has no plan', false, { ...closed, hasPlan: false, closed_by_order: true, closedBy: 'system' }],
];

test('an upgrade marks the projects whose plan has ended, and clears `closed_by_order` of open projects', async () => {
  await runMigrations(options(migrations.filter((one) => one !== EndedPlans)));
  const descriptions = new Map<string, string>();
  for (const [description, , project] of projects) descriptions.set(await insert(project), description);
  await runMigrations(options(migrations));
  const { rows } = await sql.query<{ id: string; ended: boolean }>(
    'SELECT id, subscription_has_ended AS ended FROM projects',
  );
  const found = rows.map(({ id, ended }) => [descriptions.get(id), ended] as const);
  const expected = projects.map(([description, hasEnded]) => [description, hasEnded] as const);
  expect(new Map(found)).toEqual(new Map(expected));
  const openButClosedByOrder = await sql.query(
    `SELECT id FROM projects WHERE closed_by_order AND state <> 'closed'`,
  );
  expect(openButClosedByOrder.rows).toEqual([]);
});
