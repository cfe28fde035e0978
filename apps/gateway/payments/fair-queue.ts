import { DomainError } from '#libs/contracts';

interface Waiting {
  bytes: number;
  since: number;
  start(): void;
  refuse(error: DomainError): void;
}

interface FairQueueOptions {
  /** How many run at once. */
  atOnce: number;
  /** What may wait, in bytes; one that is smaller than `leastBytes` counts as that much. */
  mostBytes: number;
  leastBytes: number;
  /** Whoever has waited longer is refused: the client will not wait for the answer. */
  mostWaitMs: number;
  retryAfterSeconds: number;
}

/**
 * Runs work for clients, some at a time. The groups of those that wait take turns, and when too much waits, the group with the most of it
 * loses its newest: a client that sends thousands delays and displaces its own alone.
 */
export class FairQueue {
  private readonly groups = new Map<string, Waiting[]>();
  private running = 0;
  private waitingBytes = 0;

  constructor(
    private readonly options: FairQueueOptions,
    private readonly now: () => number = Date.now,
  ) {}

  /** OVERLOADED when it cannot be run in time. */
  async run<T>(group: string, bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.running >= this.options.atOnce) await this.wait(group, bytes);
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.startNext();
    }
  }

  private wait(group: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const counted = Math.max(bytes, this.options.leastBytes);
      const entry = { bytes: counted, since: this.now(), start: resolve, refuse: reject };
      const queue = this.groups.get(group) ?? [];
      this.groups.set(group, queue);
      queue.push(entry);
      this.waitingBytes += counted;
      while (this.waitingBytes > this.options.mostBytes) this.refuseNewestOfLargest();
    });
  }

  private startNext(): void {
    for (;;) {
      const [next] = this.groups;
      if (!next) return;
      const [group, queue] = next;
      const entry = queue.shift()!;
      this.waitingBytes -= entry.bytes;
      // To the end of the turns.
      this.groups.delete(group);
      if (queue.length > 0) this.groups.set(group, queue);
      if (this.now() - entry.since <= this.options.mostWaitMs) {
        this.running += 1;
        entry.start();
        return;
      }
      entry.refuse(this.overloaded());
    }
  }

  private refuseNewestOfLargest(): void {
    const bytesOf = (queue: readonly Waiting[]) => queue.reduce((sum, { bytes }) => sum + bytes, 0);
    const largest = [...this.groups].reduce((one, other) =>
      bytesOf(other[1]) > bytesOf(one[1]) ? other : one,
    );
    const [group, queue] = largest;
    const entry = queue.pop()!;
    this.waitingBytes -= entry.bytes;
    if (queue.length === 0) this.groups.delete(group);
    entry.refuse(this.overloaded());
  }

  private overloaded(): DomainError {
    return new DomainError('OVERLOADED', { retryAfterSeconds: this.options.retryAfterSeconds });
  }
}
