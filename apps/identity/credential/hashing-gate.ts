import { DomainError } from '#libs/contracts';

export interface HashingGateOptions {
  /** How many run at once. */
  concurrency: number;
  /** How many may wait for their turn. */
  queueLimit: number;
}

interface Waiting {
  since: number;
  enter(): void;
  refuse(): void;
}

/** Who has waited longer (ms) when its turn comes is turned away: its caller would give up (after 10 s) before the work is done, and the next one's too. */
const patienceMs = 5_000;
const overloaded = () => new DomainError('OVERLOADED', { retryAfterSeconds: 2 });

/**
 * Lets a few tasks run at once and a bounded number wait; beyond that callers are turned away at once, which is
 * kinder than an answer that comes after they have given up.
 */
export class HashingGate {
  private running = 0;
  private readonly waiting: Waiting[] = [];

  constructor(
    private readonly options: HashingGateOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Throws OVERLOADED when the queue is full or its turn comes too late, and what `task` throws. */
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
    if (this.waiting.length >= this.options.queueLimit) throw overloaded();
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ since: this.now(), enter: resolve, refuse: () => reject(overloaded()) });
    });
  }

  /** The place goes straight to the next in line, so that nobody who arrives meanwhile can take it. */
  private leave(): void {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      if (this.now() - next.since <= patienceMs) return next.enter();
      next.refuse();
    }
    this.running -= 1;
  }
}
