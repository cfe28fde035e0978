import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Actor,
  boardStates,
  maxProjectsPerBoardColumn,
  type PageOf,
  projectContract,
} from '#libs/contracts';
import { actors } from '#libs/testing';
import { customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

/*
 * 10,000 projects, of which one customer has 2,000. For each list, prints how long (ms) the first, the last, the median and the slowest page take;
 * also prints the times of the board and the summaries. The times are not asserted, because the machine may be busy.
 */

const count = 10_000;
const limit = 100;
const busy = customerNamed('busy');

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
  await projects.sql.query(
    `INSERT INTO projects (id, version, client_version, created_at, updated_at, number, account_id, customer_name,
       customer_email, package_name, title, state, state_since, labels, checklist, active_at, due_on, seq,
       entries_for_customer, entries_for_staff)
     SELECT gen_random_uuid(), 1, 1, now() - n * interval '1 minute', now(), 1000 + n,
       CASE WHEN n % 5 = 0 THEN $2::uuid ELSE gen_random_uuid() END, 'Person ' || n, 'p' || n || '@example.com',
       'SEO audit', 'SEO audit ' || n,
       (ARRAY['waiting_for_brief', 'in_progress', 'delivered', 'changes_requested', 'accepted', 'on_hold', 'closed'])[1 + n % 7],
       now(), CASE WHEN n % 50 = 0 THEN ARRAY['vip'] ELSE '{}' END, '[]', now() - n * interval '3 minutes',
       CASE WHEN n % 3 = 0 THEN current_date + n % 90 END, 20, 10, 10
     FROM generate_series(1, $1::int) n`,
    [count, busy.accountId],
  );
  for (const statement of [
    `INSERT INTO project_orders (order_id, project_id, number, paid_at, order_status, order_version)
     SELECT gen_random_uuid(), id, number, created_at, 'Pending', 1 FROM projects`,
    `INSERT INTO project_assignees (project_id, account_id, email)
     SELECT id, '${actors.admin.accountId}', 'eve@example.com' FROM projects WHERE number % 4 = 0`,
    `INSERT INTO readers (project_id, account_id, side, read_seq, read_entries)
     SELECT id, '${actors.admin.accountId}', 'staff', 10, 5 FROM projects WHERE number % 2 = 0`,
    'ANALYZE',
  ])
    await projects.sql.query(statement);
});
afterAll(() => projects?.stop());

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const begin = performance.now();
  const result = await work();
  return [result, Math.round(performance.now() - begin)];
};

type ListName = 'listStaffProjects' | 'listProjects';

async function readAll(
  name: ListName,
  filter: object,
  actor: Actor,
): Promise<{ ids: string[]; times: number[] }> {
  const ids: string[] = [];
  const times: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const request = { page: 1, limit, ...filter, ...(cursor && { cursor }) };
    const [page, ms] = await timed<PageOf<{ _id: string }>>(() =>
      projects.client.call(projectContract[name], request, { actor }),
    );
    ids.push(...page.items.map(({ _id }) => _id));
    times.push(ms);
    cursor = page.nextCursor;
  }
  return { ids, times };
}

test.each<[ListName, object, Actor, number]>([
  ['listStaffProjects', {}, actors.admin, count],
  ['listStaffProjects', { sort: 'due' }, actors.admin, count],
  ['listStaffProjects', { sort: 'created' }, actors.admin, count],
  ['listStaffProjects', { assignee: 'me' }, actors.admin, count / 4],
  ['listStaffProjects', { label: 'vip' }, actors.admin, count / 50],
  ['listStaffProjects', { search: 'audit' }, actors.admin, count],
  ['listProjects', {}, busy, count / 5],
])('%s %j lists every matching project once', async (name, filter, actor, expected) => {
  const { ids, times } = await readAll(name, filter, actor);
  expect([ids.length, new Set(ids).size]).toEqual([expected, expected]);
  const sorted = times.toSorted((a, b) => a - b);
  process.stdout.write(
    `${name} ${JSON.stringify(filter)}: first page ${times[0]} ms, last ${times.at(-1)} ms, median ${sorted[sorted.length >> 1]} ms, slowest ${sorted.at(-1)} ms\n`,
  );
});

test('the board and the staff summary count the same open projects, and a customer’s summary counts all of theirs', async () => {
  const [board, boardMs] = await timed(() =>
    projects.client.call(projectContract.getProjectBoard, {}, { actor: actors.admin }),
  );
  expect(board.map(({ projects: shown }) => shown.length)).toEqual(
    boardStates.map(() => maxProjectsPerBoardColumn),
  );
  const [staff, staffMs] = await timed(() =>
    projects.client.call(projectContract.getStaffProjectSummary, {}, { actor: actors.admin }),
  );
  expect(staff.open).toBe(board.reduce((sum, { total }) => sum + total, 0));
  const [own, ownMs] = await timed(() =>
    projects.client.call(projectContract.getProjectSummary, {}, { actor: busy }),
  );
  expect(own).toMatchObject({ projects: count / 5, unread: (count / 5) * 10 });
  process.stdout.write(`board ${boardMs} ms, summary of staff ${staffMs} ms, of a customer ${ownMs} ms\n`);
});
