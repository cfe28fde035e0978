import { fork, type ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessLog } from './process-log.js';

export interface ReplicaOptions {
  /** The name in messages: `content`, or `content 2` for the second replica. */
  label: string;
  entry: string;
  env: NodeJS.ProcessEnv;
  execArgv: string[];
  healthPort: number;
  /** Whether the replicas of this process listen on one port, which node:cluster shares. */
  sharesPort: boolean;
  log: ProcessLog;
  onStarted: (pid: number) => void;
  report: (text: string) => void;
  /** Shorter times for tests. */
  healthCheck?: typeof defaultHealthCheck;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** A crash after this time counts as the first one again. */
const steadyMs = 10_000;
const stopWithinMs = 12_000;
/**
 * `timeoutMs` is for one answer. After `failureThreshold` consecutive checks without an answer, a process is killed; before it is ready, after
 * `startupFailureThreshold`.
 */
const defaultHealthCheck = {
  intervalMs: 2_000,
  timeoutMs: 5_000,
  failureThreshold: 3,
  startupFailureThreshold: 60,
};

/** One process of the site, or a stand-in. Restarted when it ends by itself or stops answering. */
export class Replica {
  private child: ChildProcess | undefined;
  private pauseMs = firstPauseMs;
  private lastEnding = '';
  /** Increases when the process is to stop; restart attempts of an earlier generation then give up. */
  private generation = 0;

  constructor(private readonly options: ReplicaOptions) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get healthUrl(): string {
    return `http://127.0.0.1:${this.options.healthPort}`;
  }

  /** Resolves when the process is ready; from then on, it is restarted whenever it ends. Rejects with the reason if it ends before. */
  start(): Promise<void> {
    return this.launch(this.generation);
  }

  /** From now on, the process is not restarted. */
  expectEnd(): void {
    this.generation++;
  }

  async stop(): Promise<void> {
    this.expectEnd();
    const child = this.child;
    if (!child || hasEnded(child)) return;
    const exited = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
  }

  kill(): void {
    this.expectEnd();
    this.child?.kill('SIGKILL');
  }

  /** Stops the process, and then starts a new one. Rejects with the label and the reason if the new one ends before it is ready. */
  async replace(): Promise<void> {
    const stopped = this.stop();
    const { generation } = this;
    await stopped;
    // The whole stack may have begun to stop meanwhile.
    if (generation !== this.generation) return;
    await this.start().catch((error: Error) => {
      throw new Error(`${this.options.label} did not start: it ${error.message}`);
    });
  }

  private async launch(generation: number): Promise<void> {
    const child = this.spawn();
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(this.recordEnding(code as number | null, signal as string | null));
    });
    let isUp = false;
    void this.watch(child, () => isUp);
    await Promise.race([this.untilReady(child), ended]);
    isUp = true;
    const runningSince = Date.now();
    ended.catch(() => {
      if (generation === this.generation) void this.restart(generation, runningSince);
    });
  }

  /** Kills a process that hangs, because it would never end by itself. Then it is restarted, or `start` rejects if it has never been ready. */
  private async watch(child: ChildProcess, isUp: () => boolean): Promise<void> {
    const { intervalMs, timeoutMs, failureThreshold, startupFailureThreshold } =
      this.options.healthCheck ?? defaultHealthCheck;
    const { generation } = this;
    const isOver = () => hasEnded(child) || generation !== this.generation;
    for (let failures = 0; failures < (isUp() ? failureThreshold : startupFailureThreshold);) {
      await wait(intervalMs, undefined, { ref: false });
      if (isOver()) return;
      // Any answer means that it is alive.
      const status = await statusOf(this.options.healthPort, '/healthz', timeoutMs);
      if (isOver()) return;
      failures = status === undefined ? failures + 1 : 0;
    }
    this.options.report(`${this.options.label} does not answer; killing it`);
    child.kill('SIGKILL');
  }

  private async restart(generation: number, runningSince: number): Promise<void> {
    const { label, report } = this.options;
    for (;;) {
      this.pauseMs = Date.now() - runningSince > steadyMs ? firstPauseMs : this.pauseMs;
      report(`${label} ${this.lastEnding}; restarting it in ${this.pauseMs / 1000} s`);
      await wait(this.pauseMs, undefined, { ref: false });
      if (generation !== this.generation) return;
      this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
      runningSince = Date.now();
      try {
        await this.launch(generation);
        report(`${label} is back`);
        return;
      } catch {
        if (generation !== this.generation) return;
      }
    }
  }

  /** The returned text has the likely reason unless a signal ended the process. */
  private recordEnding(code: number | null, signal: string | null): string {
    this.lastEnding = signal ? `was ended by ${signal}` : `exited with code ${code}`;
    return signal ? this.lastEnding : `${this.lastEnding}: ${this.options.log.reason()}`;
  }

  private spawn(): ChildProcess {
    const { entry, env, execArgv, sharesPort, log } = this.options;
    let child: ChildProcess;
    if (sharesPort) {
      cluster.setupPrimary({ exec: entry, args: [], execArgv, silent: true });
      // cluster.fork adds this process's environment, which may contain secrets of other processes. It leaves out variables that are passed as
      // undefined.
      const withoutOwn = Object.fromEntries(Object.keys(process.env).map((key) => [key, undefined]));
      child = cluster.fork({ ...withoutOwn, ...env }).process;
    } else {
      // In its own process group, so that Ctrl-C does not reach it: the supervisor stops everything in order. Processes that share a port stay in the
      // supervisor's group; they drain once, however many signals arrive.
      child = fork(entry, { env, execArgv, silent: true, detached: true });
    }
    this.child = child;
    child.on('error', () => undefined);
    log.follow(child.stdout!);
    log.follow(child.stderr!);
    if (child.pid) this.options.onStarted(child.pid);
    return child;
  }

  private async untilReady(child: ChildProcess): Promise<void> {
    while (!hasEnded(child)) {
      if ((await statusOf(this.options.healthPort, '/readyz', 2_000)) === 200) return;
      await wait(30);
    }
    // Never resolves: `launch` rejects because the process has ended.
    await new Promise(() => undefined);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Undefined if there is no answer within `timeout` milliseconds. */
function statusOf(port: number, path: string, timeout: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, timeout, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(undefined));
  });
}
