import type { DataSource } from 'typeorm';
import type { Logger } from 'pino';
import { PeriodicTask } from '#libs/runtime';
import { isConnectionError } from './connection-error.js';

export interface RetentionOptions {
  dataSource: DataSource;
  logger: Logger;
  /** How often to sweep. Default 60 000 ms. */
  everyMs?: number;
  /**
   * Minutes for which sent events are kept, in case Redis restarts empty (the outbox relay sends the last ten minutes again). Default 15.
   */
  sentEventsMinutes?: number;
  /** Hours for which the inbox remembers the id of a command, so that a repeated command has no second effect. Default 24. */
  requestsHours?: number;
  /** Days for which a consumed event is remembered. Default 7: a stream may deliver an event again until it is trimmed, usually after 24 hours. */
  consumedEventsDays?: number;
}

const batchSize = 1_000;

/** Deletes rows that outbox and inbox no longer need. Every replica has a sweeper, which skips rows that another one has locked. */
export class RetentionSweeper {
  private readonly task: PeriodicTask;

  constructor(private readonly options: RetentionOptions) {
    this.task = new PeriodicTask({
      everyMs: options.everyMs ?? 60_000,
      run: () => this.sweep(),
      onError: (error) => {
        // The readiness check reports an unreachable Postgres.
        if (!isConnectionError(error)) options.logger.error({ err: error }, 'Sweeping old rows failed');
      },
    });
  }

  start(): void {
    this.task.start();
  }

  /** Resolves when a sweep under way has ended. */
  stop(): Promise<void> {
    return this.task.stop();
  }

  /** One sweep, now. */
  async sweep(): Promise<void> {
    const { sentEventsMinutes = 15, requestsHours = 24, consumedEventsDays = 7 } = this.options;
    await this.deleteOlder('outbox_messages', 'sent_at', `${sentEventsMinutes} minutes`);
    await this.deleteOlder('inbox_entries', 'created_at', `${requestsHours} hours`);
    await this.deleteOlder('consumed_events', 'consumed_at', `${consumedEventsDays} days`);
  }

  /** Unsent outbox rows have no `sent_at` and stay, however old. */
  private deleteOlder(table: string, column: string, age: string): Promise<void> {
    return deleteInBatches(this.options.dataSource, table, `${column} < now() - $1::interval`, [age]);
  }
}

/** Deletes rows in small statements, so that locks are short. Skips locked rows, so replicas may run it at the same time. */
export async function deleteInBatches(
  dataSource: DataSource,
  table: string,
  condition: string,
  parameters: unknown[],
): Promise<void> {
  for (;;) {
    const [, deleted] = await dataSource.query<[unknown, number]>(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`,
      parameters,
    );
    if (deleted < batchSize) return;
  }
}
