import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { UnixUser } from './home.js';

export interface DaemonOptions {
  command: string;
  args: string[];
  user?: UnixUser;
  env?: NodeJS.ProcessEnv;
  /** The line of its log that says it serves. */
  ready: RegExp;
  /** How long it may take to say so, in milliseconds. */
  readyWithin?: number;
  /** What stops it cleanly, and what it is sent should this process vanish. */
  stopSignal: 'SIGINT' | 'SIGTERM';
  /** Written to its standard input, for what must not show in the list of processes. */
  input?: string;
  log?: (line: string) => void;
}

export interface Daemon {
  readonly pid: number;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** The daemon ended before it served. `lines` are the last it wrote. */
export class DaemonFailed extends Error {
  constructor(
    command: string,
    readonly lines: string[],
  ) {
    super(`${command} did not start: ${lines.slice(-3).join(' / ') || 'it said nothing'}`);
  }
}

const keptLines = 40;

/** Starts a foreground server process and waits until its log says that it serves. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const [command, args] = diesWithParent(options);
  const child = spawn(command, args, {
    ...(options.user && { uid: options.user.uid, gid: options.user.gid }),
    env: options.env ?? process.env,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own: Ctrl-C in a terminal reaches the supervisor alone, which stops things in order.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(options.input ?? '');

  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const fail = (reason?: string) => {
      if (reason) lines.push(reason);
      reject(new DaemonFailed(options.command, lines));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('it took too long');
    }, options.readyWithin ?? 30_000);
    const read = (line: string) => {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      options.log?.(line);
      if (options.ready.test(line)) {
        clearTimeout(timer);
        resolve();
      }
    };
    createInterface({ input: child.stdout! }).on('line', read);
    createInterface({ input: child.stderr! }).on('line', read);
    child.once('error', (error) => fail(error.message));
    void ended.then(() => {
      clearTimeout(timer);
      fail();
    });
  });

  return {
    pid: child.pid!,
    ended,
    stop: () => stopChild(child, options.stopSignal),
    kill: () => stopChild(child, 'SIGKILL'),
  };
}

async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(timer);
}

let setprivWorks: boolean | undefined;

/**
 * On Linux the kernel stops the daemon when this process dies, even by `kill -9`; elsewhere the next start
 * finds and stops what was left running.
 */
function diesWithParent({ command, args, stopSignal }: DaemonOptions): [string, string[]] {
  const setpriv = ['--pdeathsig', stopSignal.slice(3)];
  setprivWorks ??= process.platform === 'linux' && spawnSync('setpriv', [...setpriv, 'true']).status === 0;
  return setprivWorks ? ['setpriv', [...setpriv, command, ...args]] : [command, args];
}
