import { DomainError } from '#libs/contracts';

export interface QueueBounds {
  /** Pieces of work that run at the same time. */
  atOnce: number;
  /** Pieces of work that may wait for their turn. */
  waiting: number;
}

/** Runs so many pieces of work at once, lets a bounded number wait for their turn, and refuses the rest. */
export class BoundedQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly bounds: QueueBounds) {}

  /** OVERLOADED when too much is waiting already; otherwise what the work resolves or rejects with. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.turn();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  private turn(): Promise<void> {
    if (this.running < this.bounds.atOnce) {
      this.running += 1;
      return Promise.resolve();
    }
    if (this.waiting.length >= this.bounds.waiting)
      return Promise.reject(new DomainError('OVERLOADED', { retryAfterSeconds: 1 }));
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
