import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fullTest } from '#libs/testing';
import { Launch, temporaryDataDir } from './launcher.js';

const outputWithoutProgress = ({ output }: Launch) =>
  output
    .split('\n')
    .filter((line) => line !== '' && !/^[✓✗…]/.test(line))
    .join('\n');

/** The commands of all processes whose arguments or environment contain the folder's path. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return `${command}${environment}`.includes(folder) ? [command] : [];
      } catch {
        // The process has ended in the meantime, or belongs to another user.
        return [];
      }
    });
}

describe('a start that fails says why, and leaves nothing running', () => {
  let dataDir: ReturnType<typeof temporaryDataDir>;
  beforeEach(() => {
    dataDir = temporaryDataDir();
  });
  afterEach(() => dataDir.remove());

  async function refusal(env: Record<string, string>, folder = dataDir.path): Promise<string> {
    const launch = new Launch(folder, env);
    expect(await launch.exited).toBe(1);
    expect(existsSync(join(folder, 'processes.json'))).toBe(false);
    expect(processesOf(folder)).toEqual([]);
    return outputWithoutProgress(launch);
  }

  fullTest('a busy port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await refusal({ PORT: String(port) })).toBe(
      `Port ${port} is in use by another program: stop that one, or set PORT to another (0 picks a free one).`,
    );
    server.close();
  });

  fullTest('a data folder that is a file', async () => {
    const file = join(dataDir.path, 'file');
    writeFileSync(file, '');
    expect(await refusal({}, file)).toBe(
      `The data folder ${file} cannot be used: it is a file, not a folder. Set DATA_DIR to another one.`,
    );
  });

  fullTest('a machine without Redis and without apt', async () => {
    expect(await refusal({ PATH: '/nonexistent' })).toMatch(
      /^There is no Redis: neither redis-server nor valkey-server is on PATH, and there is no apt-get .* set REDIS_URL=.*\.$/,
    );
  });

  fullTest('a REDIS_URL where nothing answers', async () => {
    expect(await refusal({ REDIS_URL: 'redis://127.0.0.1:1' })).toBe(
      'REDIS_URL: Redis at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
    );
  });

  fullTest('a DATABASE_URL where nothing answers', async () => {
    expect(await refusal({ DATABASE_URL: 'postgres://site@127.0.0.1:1/postgres' })).toBe(
      'DATABASE_URL: Postgres at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
    );
  });

  test('several invalid settings, all of which are named', async () => {
    expect(await refusal({ PORT: 'http', SEED: 'everything', REPLICAS_CONTENT: '0' })).toBe(
      'These settings cannot be used: PORT must be a whole number from 0 to 65535; SEED must be one of demo, none; ' +
        'REPLICAS_CONTENT must be a whole number from 1 to 64. See .env.example.',
    );
  });

  fullTest('a setting that only a service understands', async () => {
    expect(await refusal({ FRESH_SIGN_IN_SECONDS: 'long' })).toMatch(
      /^identity did not start: it exited with code 78: FRESH_SIGN_IN_SECONDS: must be a whole number from 30 to 86400\. Its log: /,
    );
  });
});
