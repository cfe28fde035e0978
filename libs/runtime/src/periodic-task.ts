export interface PeriodicTaskOptions {
  /** From the start of one run to the next, in milliseconds. A longer run delays the next. */
  everyMs: number;
  run: () => Promise<unknown>;
  /** Called when a run throws or rejects; the next run comes as usual. Must not throw: that would be an unhandled rejection. */
  onError: (error: unknown) => void;
}

/**
 * Work that a process repeats, one run at a time. It does not keep the process alive.
 *
 * @example
 * private readonly task = new PeriodicTask({
 *   everyMs: 60_000,
 *   run: () => this.sweep(),
 *   onError: (error) => this.logger.warn({ err: error }, 'Sweeping sessions failed'),
 * });
 * onApplicationBootstrap() { this.task.start(); }
 * onModuleDestroy() { return this.task.stop(); }
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isDueAgain = false;
  private isStopped = false;

  constructor(private readonly options: PeriodicTaskOptions) {}

  /**
   * Runs are due at whole multiples of the period since the process started: tasks with equal periods run together, and an idle process wakes up less
   * often. The first is due half a period to one and a half periods later; `runSoon` starts one immediately.
   */
  start(): void {
    const { everyMs } = this.options;
    const now = performance.now();
    // Rounded, because a timer may fire a little early: the same multiple must not be due twice.
    const next = Math.round(now / everyMs + 1) * everyMs;
    this.timer = setTimeout(() => {
      this.start();
      this.runSoon();
    }, next - now).unref();
  }

  /** Starts a run now. If one is under way, exactly one more follows it. */
  runSoon(): void {
    if (this.isStopped) return;
    if (this.running) {
      this.isDueAgain = true;
      return;
    }
    this.running = this.runOnce().finally(() => {
      this.running = undefined;
      if (!this.isDueAgain) return;
      this.isDueAgain = false;
      this.runSoon();
    });
  }

  /** Resolves when the run under way has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async runOnce(): Promise<void> {
    try {
      await this.options.run();
    } catch (error) {
      this.options.onError(error);
    }
  }
}
