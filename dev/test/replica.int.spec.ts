import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { freePort } from '../embedded/ports.js';
import { Replica } from '../stack/replica.js';
import { ProcessLog } from '../stack/process-log.js';

const serverSource = `
  import { createServer } from 'node:http';
  createServer((request, response) => {
    response.end(JSON.stringify(process.env));
    if (request.url === '/hang') for (;;);
  }).listen(Number(process.env.HEALTH_PORT), '127.0.0.1');`;

/** `hung-service` and `killed-processes` test this with the whole site. */
describe('a process of the local stack', () => {
  let folder: string;
  let entry: string;
  let replica: Replica;
  let reports: string[];
  let startedPids: number[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'replica-'));
    entry = join(folder, 'server.mjs');
    writeFileSync(entry, serverSource);
    [reports, startedPids] = [[], []];
    replica = await newReplica();
    await replica.start();
  });
  afterEach(async () => {
    await replica.stop();
    rmSync(folder, { recursive: true });
  });

  async function newReplica({ sharesPort = false } = {}): Promise<Replica> {
    const healthPort = await freePort();
    return new Replica({
      label: 'content',
      entry,
      env: { HEALTH_PORT: String(healthPort) },
      execArgv: [],
      healthPort,
      sharesPort,
      log: new ProcessLog(join(folder, 'content.log'), () => undefined),
      onStarted: (pid) => startedPids.push(pid),
      report: (text) => reports.push(text),
      healthCheck: { intervalMs: 50, timeoutMs: 500, failureThreshold: 2, startupFailureThreshold: 600 },
    });
  }

  const waitUntilBack = () => eventually(() => expect(reports).toContain('content is back'));

  test('that hangs is killed and restarted', async () => {
    const { pid } = replica;
    await fetch(`${replica.healthUrl}/hang`);
    await waitUntilBack();
    expect(reports[0]).toBe('content does not answer; killing it');
    expect(replica.pid).not.toBe(pid);
    expect((await fetch(`${replica.healthUrl}/healthz`)).status).toBe(200);
  });

  test('that is replaced while it waits for a restart is not started again by that restart', async () => {
    process.kill(replica.pid, 'SIGKILL');
    await eventually(() => expect(reports).toContainEqual(expect.stringMatching(/restarting it in/)));
    await replica.replace();
    // When the process is back after this kill, the time of the cancelled restart has passed.
    process.kill(replica.pid, 'SIGKILL');
    await waitUntilBack();
    expect(startedPids).toHaveLength(3);
    expect(replica.pid).toBe(startedPids[2]);
  });

  test('whose replacement ends before it is ready is named in the error, with the reason', async () => {
    writeFileSync(entry, `throw new Error('The port is in use');`);
    await expect(replica.replace()).rejects.toThrow(
      'content did not start: it exited with code 1: Error: The port is in use',
    );
  });

  test.each([false, true])(
    'has its own environment, not the secrets of the supervisor (shared port: %s)',
    async (sharesPort) => {
      process.env.KEY_ENCRYPTION_SECRET = 'a secret of identity';
      const another = await newReplica({ sharesPort });
      try {
        await another.start();
        const env = (await (await fetch(`${another.healthUrl}/readyz`)).json()) as NodeJS.ProcessEnv;
        expect(env).toHaveProperty('HEALTH_PORT');
        expect(Object.keys(env)).not.toContain('KEY_ENCRYPTION_SECRET');
      } finally {
        delete process.env.KEY_ENCRYPTION_SECRET;
        await another.stop();
      }
    },
  );
});
