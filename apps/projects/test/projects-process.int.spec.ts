import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Actor, auditContracts } from '#libs/contracts';
import {
  actors,
  freshDatabase,
  freshRedis,
  type BuiltProcess,
  startBuiltProcess,
  type TestDatabase,
  type TestRedis,
} from '#libs/testing';
import { type ProjectsUnderTest, startProjects } from './projects.harness.js';

describe('projects as a process', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let replicas: BuiltProcess[];

  beforeAll(async () => {
    [database, redis] = await Promise.all([freshDatabase('projects'), freshRedis()]);
    const settings = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      PUBLIC_URL: 'http://site.test',
      LOG_LEVEL: 'info',
    };
    replicas = [startBuiltProcess('projects', settings), startBuiltProcess('projects', settings)];
  });
  afterAll(async () => {
    for (const { child } of replicas) child.kill('SIGKILL');
    await Promise.all(replicas.map(({ exited }) => exited));
    await Promise.all([database.drop(), redis.stop()]);
  });

  test('two replicas start together and become ready', async () => {
    await Promise.all(replicas.map((replica) => replica.ready()));
    const [first] = replicas;
    expect(await (await first!.health('/readyz')).json()).toEqual({
      status: 'ready',
      checks: { redis: { status: 'up' }, postgres: { status: 'up' } },
    });
  });

  test('both replicas exit with 0 on SIGTERM', async () => {
    for (const { child } of replicas) child.kill('SIGTERM');
    expect(await Promise.all(replicas.map(({ exited }) => exited))).toEqual([0, 0]);
  });
});

describe('the audit log of projects', () => {
  let projects: ProjectsUnderTest;
  beforeAll(async () => {
    projects = await startProjects();
  });
  afterAll(() => projects?.stop());

  const entries = (actor: Actor) => projects.client.call(auditContracts.projects, { limit: 25 }, { actor });

  test('is empty at first, and only admins can read it', async () => {
    expect(await entries(actors.admin)).toEqual([]);
    await expect(entries(actors.customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
