import { DomainError } from '#libs/contracts';

export interface HashingGateOptions {
  /** How many run at once. */
  concurrency: number;
  /** How many may wait for their turn. */
  queueLimit: number;
}

/**
 * Lets a few tasks run at once and a bounded number wait; beyond that callers are turned away at once, which is
 * kinder than an answer that comes after they have given up.
 */
export class HashingGate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly options: HashingGateOptions) {}

  /** Throws OVERLOADED when the queue is full, and what `task` throws. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.options.concurrency) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.options.queueLimit) {
      throw new DomainError('OVERLOADED', { retryAfterSeconds: 2 });
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** The place goes straight to the next in line, so that nobody who arrives meanwhile can take it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
