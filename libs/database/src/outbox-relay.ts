import type { DataSource, EntityManager } from 'typeorm';
import type { Logger } from 'pino';
import { within } from '#libs/runtime';
import { describeError } from './database-errors.js';
import type { Outbox } from './outbox.js';

export interface OutboxMessage {
  id: string;
  event: string;
  payload: unknown;
  occurredAt: Date;
  traceparent?: string;
}

/** Where the relay sends events: `EventPublisher` of the transport. */
export interface EventSink {
  /** Resolves when Redis has accepted all of them. */
  publish(messages: OutboxMessage[]): Promise<void>;
  /** Redis's `run_id`, which changes with each start. `FLUSHALL` does not change it, so events that it deletes are not sent again. */
  redisRunId(): Promise<string>;
}

export interface OutboxRelayOptions {
  dataSource: DataSource;
  outbox: Outbox;
  sink: EventSink;
  logger: Logger;
  /** The pause between polls, which find the events of a crashed replica or of another process. Default 1 000 ms. */
  pollMs?: number;
  /** How long the next batch waits if events arrived while one was being sent, so that many commits share a batch. Default 20 ms. */
  gatherMs?: number;
  /** Per transaction. Default 100. */
  batchSize?: number;
  /** A restarted Redis gets the events of this many minutes again. Default 10. */
  resendMinutes?: number;
  /** The longest pause between attempts while Redis or Postgres is unreachable. Default 2 000 ms. */
  maxBackoffMs?: number;
}

export interface OutboxBacklog {
  count: number;
  /** 0 if there is none. */
  oldestAgeSeconds: number;
}

interface Row {
  id: string;
  event: string;
  payload: unknown;
  occurred_at: Date;
  traceparent: string | null;
}

/** If Redis takes longer, the transaction that holds the rows is rolled back. */
const publishTimeoutMs = 5_000;

/** How often to look for events that another replica has just marked as sent to a former Redis. */
const requeueEveryMs = 60_000;

/**
 * Sends committed events to Redis, at least once, in no particular order. `FOR UPDATE SKIP LOCKED` lets any number of replicas share the work. Each
 * row is marked, because reading on from the last id would miss transactions that commit late. It is marked after publishing, so a crash in between
 * repeats a batch and loses none.
 */
export class OutboxRelay {
  private stopped = false;
  private loop?: Promise<void>;
  private wakeUp?: () => void;
  private woken = false;
  private gathering = false;
  private failures = 0;
  private unsubscribe?: () => void;
  private lastRunId?: string;
  /** By `performance.now()`. */
  private nextRequeueAt = 0;

  constructor(private readonly options: OutboxRelayOptions) {}

  start(): void {
    this.unsubscribe = this.options.outbox.onCommitted(() => this.wake());
    this.loop = this.run();
  }

  /** Ends the pause between polls. While a batch is being sent, the next poll comes `gatherMs` after it; a backoff is not shortened. */
  wake(): void {
    this.woken = true;
    // While the relay backs off, a commit must not cause an attempt.
    if (this.failures === 0 && !this.gathering) this.wakeUp?.();
  }

  /** Resolves when the current batch has been marked or has failed. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    this.wakeUp?.();
    await this.loop;
  }

  async backlog(): Promise<OutboxBacklog> {
    const [row] = await this.options.dataSource.query<[{ count: number; age: number }]>(
      `SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(occurred_at)), 0)::float8 AS age
         FROM outbox_messages WHERE sent_at IS NULL`,
    );
    return { count: row.count, oldestAgeSeconds: row.age };
  }

  private async run(): Promise<void> {
    const { pollMs = 1_000, gatherMs = 20, maxBackoffMs = 2_000, logger } = this.options;
    while (!this.stopped) {
      let delay = pollMs;
      this.woken = false;
      try {
        await this.sendAll();
        if (this.failures > 0) logger.info({ failures: this.failures }, 'Events are relayed again');
        this.failures = 0;
      } catch (error) {
        this.failures += 1;
        delay = Math.min(maxBackoffMs, 100 * 2 ** this.failures);
        if (this.failures === 1) logger.warn({ reason: describeError(error) }, 'Events wait in the outbox');
      }
      if (this.stopped) return;
      this.gathering = this.failures === 0 && this.woken;
      await this.sleep(this.gathering ? gatherMs : delay);
      this.gathering = false;
    }
  }

  private async sendAll(): Promise<void> {
    const { batchSize = 100 } = this.options;
    // Read before publishing: if Redis is replaced meanwhile, events are at worst sent twice. Read afterwards, the id could be that of a Redis that
    // never received the event, and the event would be lost.
    const runId = await this.options.sink.redisRunId();
    await this.requeueIfReplaced(runId);
    while (!this.stopped) {
      if ((await this.sendBatch(runId, batchSize)) < batchSize) return;
    }
  }

  private async sendBatch(runId: string, batchSize: number): Promise<number> {
    return this.options.dataSource.transaction(async (tx) => {
      const rows = await this.takeUnsent(tx, batchSize);
      if (rows.length === 0) return 0;
      await within(
        publishTimeoutMs,
        this.options.sink.publish(rows.map(toMessage)),
        `Redis did not take the events within ${publishTimeoutMs} ms`,
      );
      await tx.query(`UPDATE outbox_messages SET sent_at = now(), sent_to = $2 WHERE id = ANY ($1)`, [
        rows.map((row) => row.id),
        runId,
      ]);
      return rows.length;
    });
  }

  private takeUnsent(tx: EntityManager, batchSize: number): Promise<Row[]> {
    return tx.query(
      `SELECT id, event, payload, occurred_at, traceparent FROM outbox_messages
        WHERE sent_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [batchSize],
    );
  }

  /**
   * A restarted Redis is empty, and consumers may not have read everything. So rows that a former Redis received in the last minutes become unsent
   * again. This also runs each minute, for rows that another replica marked late. Each row names the Redis that received it, so replicas repeat
   * nothing that the new Redis has.
   */
  private async requeueIfReplaced(runId: string): Promise<void> {
    if (runId === this.lastRunId && performance.now() < this.nextRequeueAt) return;
    const { resendMinutes = 10, dataSource, logger } = this.options;
    const [, count] = await dataSource.query<[unknown, number]>(
      `UPDATE outbox_messages SET sent_at = NULL, sent_to = NULL
        WHERE sent_at > now() - $1::interval AND sent_to <> $2`,
      [`${resendMinutes} minutes`, runId],
    );
    if (count > 0) logger.info({ count }, 'Redis was restarted or replaced: recent events are sent again');
    this.lastRunId = runId;
    this.nextRequeueAt = performance.now() + requeueEveryMs;
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function toMessage(row: Row): OutboxMessage {
  return {
    id: row.id,
    event: row.event,
    payload: row.payload,
    occurredAt: row.occurred_at,
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  };
}
