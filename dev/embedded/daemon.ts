import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { UnixUser } from './home.js';

export interface DaemonOptions {
  command: string;
  args: string[];
  user?: UnixUser;
  env?: NodeJS.ProcessEnv;
  /** Matches the log line that says that the server is ready. */
  ready: RegExp;
  /** Default: 30 000. */
  readyWithinMs?: number;
  /** Stops the server cleanly. On Linux with `setpriv`, also sent if this process dies. */
  stopSignal: 'SIGINT' | 'SIGTERM';
  /** For standard input. Secrets belong here, because arguments appear in the list of processes. */
  input?: string;
  log?: (line: string) => void;
}

export interface Daemon {
  readonly pid: number;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** A program failed, or took too long, before the server was ready. `lines` are its last output. */
export class DaemonFailed extends Error {
  constructor(
    command: string,
    readonly lines: string[],
  ) {
    super(`${command} failed: ${lines.slice(-3).join(' / ') || 'it wrote nothing'}`);
  }
}

const keptLines = 40;

/** Waits until the log says that the server is ready. Rejects with DaemonFailed if the server ends first or takes too long. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const [command, args] = withParentDeathSignal(options);
  const child = spawn(command, args, {
    ...(options.user && { uid: options.user.uid, gid: options.user.gid }),
    env: options.env ?? process.env,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C then does not reach the daemon: this process stops everything in order.
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
    }, options.readyWithinMs ?? 30_000);
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
 * Makes the Linux kernel stop the daemon when this process dies, even by `kill -9`. Without `setpriv`, the daemon keeps running until the next
 * `npm start` with the same data folder stops it (`DataFolder.claim`).
 */
function withParentDeathSignal({ command, args, stopSignal }: DaemonOptions): [string, string[]] {
  const setpriv = ['--pdeathsig', stopSignal.slice(3)];
  setprivWorks ??= process.platform === 'linux' && spawnSync('setpriv', [...setpriv, 'true']).status === 0;
  return setprivWorks ? ['setpriv', [...setpriv, command, ...args]] : [command, args];
}
