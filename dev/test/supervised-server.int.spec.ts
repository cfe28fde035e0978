import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, sampleEvery } from '#libs/testing';
import { type EmbeddedPostgres, startPostgres } from '../embedded/postgres.js';
import { type EmbeddedRedis, startRedis } from '../embedded/redis.js';
import { isAnswering } from '../embedded/is-answering.js';
import { SupervisedServer } from '../stack/supervised-server.js';
import { temporaryDataDir } from './launcher.js';

/** For a service that hangs, see `hung-service.full.spec.ts`. */
describe('an embedded server that is frozen (SIGSTOP) is replaced, at the same address', () => {
  let dataDir: ReturnType<typeof temporaryDataDir>;
  let reports: string[];
  let supervised: SupervisedServer<EmbeddedPostgres | EmbeddedRedis>;
  beforeEach(() => {
    dataDir = temporaryDataDir();
    reports = [];
  });
  afterEach(async () => {
    await supervised.stop();
    dataDir.remove();
  });

  test.each(sampleEvery(2, ['redis', 'postgres'] as const))('%s', async (name) => {
    const start = name === 'redis' ? startRedis : startPostgres;
    const pids: number[] = [];
    supervised = new SupervisedServer<EmbeddedPostgres | EmbeddedRedis>(
      name,
      async (before) => {
        const server = await start({ dataDir: dataDir.path, ...(before && { port: before.port }) });
        pids.push(server.pid);
        return server;
      },
      (text) => reports.push(text),
      { intervalMs: 50, timeoutMs: 1_000, failureThreshold: 2 },
    );
    const { pid, port } = await supervised.start();
    process.kill(pid, 'SIGSTOP');
    await eventually(() => expect(reports).toContain(`${name} is back`));
    expect(reports[0]).toBe(`${name} stopped answering; killing it`);
    expect(pids).toHaveLength(2);
    expect(await isAnswering(name, port, 10_000)).toBe(true);
  });
});
