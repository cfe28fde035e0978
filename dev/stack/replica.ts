import { fork, type ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceLog } from './service-log.js';

export interface ReplicaOptions {
  /** `content`, or `content 2`. */
  label: string;
  entry: string;
  env: NodeJS.ProcessEnv;
  /** Node's own flags. */
  execArgv: string[];
  healthPort: number;
  /** Several processes listen on one port, by node:cluster. */
  sharesPort: boolean;
  log: ServiceLog;
  onStarted: (pid: number) => void;
  notice: (text: string) => void;
  /** For tests, which have less time. */
  watching?: typeof watching;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** Having run this long, a crash counts as the first again. */
const steadyMs = 10_000;
const stopWithinMs = 12_000;
/** How often a process is asked whether it lives, how long it may take, and how many silences in a row end it. */
const watching = { everyMs: 2_000, withinMs: 5_000, silences: 3, silencesAtStart: 60 };

/** One process of a service, started again when it ends by itself. */
export class Replica {
  private child: ChildProcess | undefined;
  private pauseMs = firstPauseMs;
  private lastEnding = '';
  /** Another one once its end is asked for: what kept the process running until then gives up, whatever it is waiting for. */
  private turn = 0;

  constructor(private readonly options: ReplicaOptions) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get health(): string {
    return `http://127.0.0.1:${this.options.healthPort}`;
  }

  /** Rejects with the reason when the process ends before it is ready. From then on it is kept running. */
  start(): Promise<void> {
    return this.launch(this.turn);
  }

  /** From here on its end is no surprise. */
  expectEnd(): void {
    this.turn++;
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

  /** Replaces the process, as after a new build. */
  async replace(): Promise<void> {
    await this.stop();
    await this.start();
  }

  private async launch(turn: number): Promise<void> {
    const child = this.spawn();
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(this.ending(code as number | null, signal as string | null));
    });
    let isUp = false;
    void this.watch(child, () => isUp);
    await Promise.race([this.untilReady(child), ended]);
    isUp = true;
    const readySince = Date.now();
    ended.catch(() => {
      if (turn === this.turn) void this.startAgain(turn, readySince);
    });
  }

  /** A process that hangs (stopped, or computing without end) ends by itself never: it is ended, and so started again. */
  private async watch(child: ChildProcess, isUp: () => boolean): Promise<void> {
    const { everyMs, withinMs, silences, silencesAtStart } = this.options.watching ?? watching;
    const { turn } = this;
    const isOver = () => hasEnded(child) || turn !== this.turn;
    for (let silent = 0; silent < (isUp() ? silences : silencesAtStart);) {
      await wait(everyMs, undefined, { ref: false });
      if (isOver()) return;
      // Whatever it answers, it lives.
      const status = await statusOf(this.options.healthPort, '/healthz', withinMs);
      if (isOver()) return;
      silent = status === undefined ? silent + 1 : 0;
    }
    this.options.notice(`${this.options.label} does not answer any more; ending it`);
    child.kill('SIGKILL');
  }

  private async startAgain(turn: number, readySince: number): Promise<void> {
    const { label, notice } = this.options;
    for (;;) {
      this.pauseMs = Date.now() - readySince > steadyMs ? firstPauseMs : this.pauseMs;
      notice(`${label} ${this.lastEnding}; starting it again in ${this.pauseMs / 1000} s`);
      await wait(this.pauseMs, undefined, { ref: false });
      if (turn !== this.turn) return;
      this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
      readySince = Date.now();
      try {
        await this.launch(turn);
        notice(`${label} is back`);
        return;
      } catch {
        if (turn !== this.turn) return;
      }
    }
  }

  private ending(code: number | null, signal: string | null): string {
    this.lastEnding = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    return signal ? this.lastEnding : `${this.lastEnding}: ${this.options.log.reason()}`;
  }

  private spawn(): ChildProcess {
    const { entry, env, execArgv, sharesPort, log } = this.options;
    let child: ChildProcess;
    if (sharesPort) {
      cluster.setupPrimary({ exec: entry, args: [], execArgv, silent: true });
      child = cluster.fork(env).process;
    } else {
      // In a process group of its own: Ctrl-C in a terminal reaches the supervisor alone, which stops things in order.
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
    // Its end is what the caller will hear of.
    await new Promise(() => undefined);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The status of the answer; undefined when there is none in time. */
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
