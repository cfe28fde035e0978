import type { Clock } from './clock.js';
import { Refusal } from './refusal.js';

export interface Scheduled {
  /** The earliest due time, past or future; Infinity if there is none. */
  readonly nextAt: number;
  /** Begins what is due, or as much of it as may run at the same time; the rest follows by itself. */
  runDue(): void;
  /** Resolves when everything that is due has been done. */
  waitUntilIdle(): Promise<void>;
}

/** Runs what is due, by a timer or when the clock is moved. */
export class Timeline {
  private timer: NodeJS.Timeout | undefined;
  private moving: Promise<unknown> = Promise.resolve();
  private isRunning = false;

  constructor(
    private readonly clock: Clock,
    private readonly schedules: Scheduled[],
    private readonly onMoved: () => void,
  ) {}

  /** Runs what is due already, and sets the timer for what is due next. */
  start(): void {
    this.isRunning = true;
    this.runDue();
    this.setTimer();
  }

  setTimer(): void {
    clearTimeout(this.timer);
    if (!this.isRunning || !this.clock.isRunning || this.nextAt === Infinity) return;
    // At least 10 ms, because what is due may have to wait its turn. A timer can wait for 24 days at most; if it fires too early, it is set again.
    const pause = Math.min(Math.max(this.nextAt - this.clock.now(), 10), 2 ** 31 - 1);
    this.timer = setTimeout(() => {
      this.runDue();
      this.setTimer();
    }, pause);
    this.timer.unref();
  }

  /** Moves the clock in steps, so that everything that becomes due runs at its due time. Concurrent calls run one after another. */
  advance(ms: number): Promise<void> {
    return this.moveInTurn(() => this.clock.now() + ms);
  }

  /** Like `advance`. Rejects with a Refusal if the clock is already past that time. */
  advanceTo(time: number): Promise<void> {
    return this.moveInTurn(() => {
      if (time < this.clock.now()) throw new Refusal(409, 'The clock cannot be set back.', 'to');
      return time;
    });
  }

  close(): void {
    this.isRunning = false;
    clearTimeout(this.timer);
  }

  private get nextAt(): number {
    return Math.min(...this.schedules.map(({ nextAt }) => nextAt));
  }

  private runDue(): void {
    for (const schedule of this.schedules) schedule.runDue();
  }

  private moveInTurn(end: () => number): Promise<void> {
    const move = this.moving.then(() => this.move(end()));
    this.moving = move.catch(() => undefined);
    return move;
  }

  private async move(end: number): Promise<void> {
    for (;;) {
      for (const schedule of this.schedules) await schedule.waitUntilIdle();
      if (this.nextAt > end) break;
      this.clock.advanceTo(this.nextAt);
      this.runDue();
    }
    this.clock.advanceTo(end);
    this.onMoved();
    this.runDue();
  }
}
