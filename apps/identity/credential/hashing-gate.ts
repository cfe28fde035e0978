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

/** Whoever has waited longer (ms) when their turn comes is turned away: their caller would give up (after 10 s) before the work is done. */
const patienceMs = 5_000;
const overloaded = () => new DomainError('OVERLOADED', { retryAfterSeconds: 2 });

/**
 * Lets a few tasks run at once and a bounded number wait; beyond that callers are turned away at once, which is
 * kinder than an answer that comes after they have given up.
 *
 * Requesters share the queue fairly. They take turns, and when the queue is full, a requester with fewer tasks in it takes the place of the one
 * with the most: a flood from one network fills the queue, but keeps nobody else out.
 */
export class HashingGate {
  private running = 0;
  private waitingCount = 0;
  /** The tasks of each requester who waits; whose turn is next comes first. */
  private readonly lines = new Map<string, Waiting[]>();

  constructor(
    private readonly options: HashingGateOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Throws OVERLOADED when there is no place in the queue or its turn comes too late, and what `task` throws. */
  async run<T>(requester: string, task: () => Promise<T>): Promise<T> {
    await this.enter(requester);
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  private async enter(requester: string): Promise<void> {
    if (this.running < this.options.concurrency) {
      this.running += 1;
      return;
    }
    if (this.waitingCount >= this.options.queueLimit) this.makeRoomFor(requester);
    await new Promise<void>((resolve, reject) => {
      const line = this.lines.get(requester) ?? [];
      line.push({ since: this.now(), enter: resolve, refuse: () => reject(overloaded()) });
      this.lines.set(requester, line);
      this.waitingCount += 1;
    });
  }

  /** Turns away the newest task in the longest line, if that line stays at least as long as the requester's becomes; else throws OVERLOADED. */
  private makeRoomFor(requester: string): void {
    const own = this.lines.get(requester)?.length ?? 0;
    const [longest] = [...this.lines.values()].sort((a, b) => b.length - a.length);
    if (!longest || longest.length < own + 2) throw overloaded();
    longest.pop()!.refuse();
    this.waitingCount -= 1;
  }

  /** The place goes straight to the next task, so that nobody who arrives meanwhile can take it. */
  private leave(): void {
    for (let next = this.takeNext(); next; next = this.takeNext()) {
      if (this.now() - next.since <= patienceMs) return next.enter();
      next.refuse();
    }
    this.running -= 1;
  }

  /** The oldest task of the requester whose turn it is; their next turn comes after everybody else's. */
  private takeNext(): Waiting | undefined {
    const [turn] = this.lines;
    if (!turn) return undefined;
    const [requester, line] = turn;
    const next = line.shift();
    this.waitingCount -= 1;
    this.lines.delete(requester);
    if (line.length > 0) this.lines.set(requester, line);
    return next;
  }
}
