import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { startDaemon } from './daemon.js';
import { canUse, prepareHome, type EmbeddedHome } from './home.js';
import { startOnPort } from './ports.js';
import { ensureRedis } from './redis-binary.js';

export interface RedisOptions {
  /** Where Redis is unpacked if the machine has none. Default: `.data` in the current folder. */
  dataDir?: string;
  port?: number;
  /** Default: random. Without a password, any user of this machine could control the services. */
  password?: string;
  /** Configuration lines for further users; their passwords may be derived from the given one. */
  users?: (password: string) => string[];
  log?: (line: string) => void;
}

export interface EmbeddedRedis {
  /** Includes the password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Stores nothing on disk, because it holds only data that may be lost. */
export async function startRedis(options: RedisOptions = {}): Promise<EmbeddedRedis> {
  const home = prepareHome(options.dataDir ?? resolve('.data'));
  const command = await ensureRedis(home.folder);
  const password = options.password ?? randomBytes(18).toString('base64url');
  return startOnPort(options.port, async (port) => {
    const daemon = await startServer(command, home, port, password, options);
    return { ...daemon, port, url: `redis://:${password}@127.0.0.1:${port}` };
  });
}

function startServer(
  command: string,
  { user }: EmbeddedHome,
  port: number,
  password: string,
  { users, log }: RedisOptions,
) {
  // Redis runs as root if `user` cannot run it. Postgres would refuse to run as root.
  if (user && !canUse(user, command)) user = undefined;
  return startDaemon({
    command,
    // `-`: the configuration comes from standard input, because arguments would appear in the list of processes.
    args: ['-'],
    input: [
      'bind 127.0.0.1',
      `port ${port}`,
      `requirepass ${password}`,
      'save ""',
      'appendonly no',
      'daemonize no',
      'maxmemory-policy noeviction',
      ...(users?.(password) ?? []),
    ].join('\n'),
    ...(user && { user }),
    env: { PATH: process.env.PATH },
    ready: /Ready to accept connections/,
    stopSignal: 'SIGTERM',
    ...(log && { log }),
  });
}
