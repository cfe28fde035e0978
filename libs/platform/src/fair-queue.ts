import { DomainError } from '#libs/contracts';

export interface FairQueueOptions {
  concurrency: number;
  /** Limits the sum of the sizes of all waiting tasks. A task has size 1 unless `run` is given another. */
  maxWaitingSize: number;
  /** A task that has waited longer is refused, because its client will have given up. Default: no limit. */
  maxWaitMs?: number;
  retryAfterSeconds: number;
}

interface Task {
  size: number;
  since: number;
  start(): void;
  refuse(error: DomainError): void;
}

interface Group {
  tasks: Task[];
  size: number;
}

/**
 * Runs a few tasks in parallel and lets a bounded number wait. Groups, such as clients, take turns. When too much waits, the largest group loses its
 * newest task, so a client that sends thousands of tasks delays only its own.
 */
export class FairQueue {
  private running = 0;
  private waitingSize = 0;
  private readonly groups = new Map<string, Group>();

  constructor(
    private readonly options: FairQueueOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Throws OVERLOADED when there is no room or the turn of `work` comes too late; otherwise settles as `work` does. */
  async run<T>(group: string, work: () => Promise<T>, size = 1): Promise<T> {
    if (this.running < this.options.concurrency) this.running += 1;
    else await this.wait(group, size);
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.startNext();
    }
  }

  private wait(name: string, size: number): Promise<void> {
    return new Promise((start, refuse) => {
      const group = this.groups.get(name) ?? { tasks: [], size: 0 };
      this.groups.set(name, group);
      group.tasks.push({ size, since: this.now(), start, refuse });
      this.resize(group, size);
      while (this.waitingSize > this.options.maxWaitingSize) this.refuseNewestOfLargest(name);
    });
  }

  private startNext(): void {
    for (const [name, group] of this.groups) {
      const task = group.tasks.shift()!;
      this.resize(group, -task.size);
      this.groups.delete(name);
      // Its next turn comes after all other groups.
      if (group.tasks.length > 0) this.groups.set(name, group);
      if (this.now() - task.since <= (this.options.maxWaitMs ?? Infinity)) {
        this.running += 1;
        return task.start();
      }
      task.refuse(this.overloadedError());
    }
  }

  /** Of groups of the same size, the one that has just grown counts as the largest: equal groups then do not displace each other's tasks. */
  private refuseNewestOfLargest(grownGroup: string): void {
    let largest = grownGroup;
    for (const [name, { size }] of this.groups) {
      if (size > this.groups.get(largest)!.size) largest = name;
    }
    const group = this.groups.get(largest)!;
    const task = group.tasks.pop()!;
    this.resize(group, -task.size);
    if (group.tasks.length === 0) this.groups.delete(largest);
    task.refuse(this.overloadedError());
  }

  private resize(group: Group, by: number): void {
    group.size += by;
    this.waitingSize += by;
  }

  private overloadedError(): DomainError {
    return new DomainError('OVERLOADED', { retryAfterSeconds: this.options.retryAfterSeconds });
  }
}
