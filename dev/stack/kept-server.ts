import { setTimeout as wait } from 'node:timers/promises';

interface Server {
  readonly pid: number;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Postgres or Redis, started again at the same address when it ends by itself. */
export class KeptServer<S extends Server> {
  private stopping = false;
  private current: S | undefined;
  private opening: Promise<S> | undefined;

  constructor(
    private readonly name: string,
    /** Gets the server that ran before, to take over its address. */
    private readonly open: (before: S | undefined) => Promise<S>,
    private readonly notice: (text: string) => void,
  ) {}

  async start(): Promise<S> {
    this.opening = this.open(this.current);
    const server = await this.opening;
    this.current = server;
    void server.ended.then(() => {
      if (!this.stopping) void this.startAgain();
    });
    return server;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const opened = await this.opening?.catch(() => undefined);
    await (opened ?? this.current)?.stop();
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
