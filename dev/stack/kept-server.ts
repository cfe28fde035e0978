import { setTimeout as wait } from 'node:timers/promises';

import { answers } from '../embedded/answers.js';

interface Server {
  readonly pid: number;
  readonly port: number;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** `kill -9`, which ends a stopped process too. */
  kill(): Promise<void>;
}

/** How often a server is asked whether it answers, how long it may take, and how many silences in a row end it. */
const watching = { everyMs: 2_000, withinMs: 5_000, silences: 3 };

/** Postgres or Redis, started again at the same address when it ends by itself, and ended when it answers no more. */
export class KeptServer<S extends Server> {
  private stopping = false;
  private current: S | undefined;
  private opening: Promise<S> | undefined;

  constructor(
    private readonly name: 'postgres' | 'redis',
    /** Gets the server that ran before, to take over its address. */
    private readonly open: (before: S | undefined) => Promise<S>,
    private readonly notice: (text: string) => void,
    /** For tests, which have less time. */
    private readonly pace = watching,
  ) {}

  async start(): Promise<S> {
    this.opening = this.open(this.current);
    const server = await this.opening;
    this.current = server;
    let hasEnded = false;
    void server.ended.then(() => {
      hasEnded = true;
      if (!this.stopping) void this.startAgain();
    });
    void this.watch(server, () => hasEnded || this.stopping);
    return server;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const opened = await this.opening?.catch(() => undefined);
    await (opened ?? this.current)?.stop();
  }

  /** A frozen server (stopped, or stuck) never ends by itself: it is ended, and so started again. */
  private async watch(server: S, isOver: () => boolean): Promise<void> {
    const { everyMs, withinMs, silences } = this.pace;
    for (let silent = 0; silent < silences;) {
      await wait(everyMs, undefined, { ref: false });
      if (isOver()) return;
      const answered = await answers(this.name, server.port, withinMs);
      if (isOver()) return;
      silent = answered ? 0 : silent + 1;
    }
    this.notice(`${this.name} does not answer any more; ending it`);
    await server.kill();
  }

  private async startAgain(): Promise<void> {
    this.notice(`${this.name} ended; starting it again`);
    for (let pauseMs = 100; !this.stopping; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        await this.start();
        this.notice(`${this.name} is back`);
        return;
      } catch {
        // After a crash Postgres refuses until the last of its old processes has gone.
        await wait(pauseMs, undefined, { ref: false });
      }
    }
  }
}
