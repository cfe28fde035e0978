import { setTimeout as wait } from 'node:timers/promises';
import { isAnswering } from '../embedded/is-answering.js';

interface Server {
  readonly pid: number;
  readonly port: number;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** `kill -9`, which also ends a suspended process. */
  kill(): Promise<void>;
}

/** `timeoutMs` is for one answer. After `failureThreshold` missing answers in a row, the server is killed. */
const defaultHealthCheck = { intervalMs: 2_000, timeoutMs: 5_000, failureThreshold: 3 };

/** Postgres or Redis. Restarted at the same address when it ends by itself or stops answering. */
export class SupervisedServer<S extends Server> {
  private stopping = false;
  private current: S | undefined;
  private opening: Promise<S> | undefined;

  constructor(
    private readonly name: 'postgres' | 'redis',
    /** Uses the address of the server that ran before, if any. */
    private readonly open: (before: S | undefined) => Promise<S>,
    private readonly report: (text: string) => void,
    /** Shorter times for tests. */
    private readonly healthCheck = defaultHealthCheck,
  ) {}

  async start(): Promise<S> {
    this.opening = this.open(this.current);
    const server = await this.opening;
    this.current = server;
    let hasEnded = false;
    void server.ended.then(() => {
      hasEnded = true;
      if (!this.stopping) void this.restart();
    });
    void this.watch(server, () => hasEnded || this.stopping);
    return server;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const opened = await this.opening?.catch(() => undefined);
    await (opened ?? this.current)?.stop();
  }

  /** Kills the server when it stops answering. A suspended or stuck server would never end by itself. */
  private async watch(server: S, isOver: () => boolean): Promise<void> {
    const { intervalMs, timeoutMs, failureThreshold } = this.healthCheck;
    for (let failures = 0; failures < failureThreshold;) {
      await wait(intervalMs, undefined, { ref: false });
      if (isOver()) return;
      const answered = await isAnswering(this.name, server.port, timeoutMs);
      if (isOver()) return;
      failures = answered ? 0 : failures + 1;
    }
    this.report(`${this.name} stopped answering; killing it`);
    await server.kill();
  }

  private async restart(): Promise<void> {
    this.report(`${this.name} ended; restarting it`);
    for (let pauseMs = 100; !this.stopping; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        await this.start();
        this.report(`${this.name} is back`);
        return;
      } catch {
        // After a crash, Postgres does not start until all of its old processes have ended.
        await wait(pauseMs, undefined, { ref: false });
      }
    }
  }
}
