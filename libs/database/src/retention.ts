import type { DataSource } from 'typeorm';
import type { Logger } from 'pino';
import { PeriodicTask } from '#libs/runtime';
import { isConnectionError } from './connection-error.js';

export interface RetentionOptions {
  dataSource: DataSource;
  logger: Logger;
  /** How often to sweep. Default 60 000 ms. */
  everyMs?: number;
  /** Sent events kept for a Redis that comes back empty (the relay sends the last ten minutes again). Default 15. */
  sentEventsMinutes?: number;
  /** How long a request id is remembered. Default 24. */
  requestsHours?: number;
  /**
   * How long a consumed event is remembered; longer than any stream or dead letter could bring it again.
   * Default 7.
   */
  consumedEventsDays?: number;
}

const BATCH = 1_000;

/** Deletes what outbox and inbox no longer need. Every replica runs one; they pass by what another holds. */
export class RetentionSweeper {
  private readonly task: PeriodicTask;

  constructor(private readonly options: RetentionOptions) {
    this.task = new PeriodicTask({
      everyMs: options.everyMs ?? 60_000,
      run: () => this.sweep(),
      onError: (error) => {
        // The readiness check reports a Postgres that is gone.
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

/** Deletes rows in small statements, so that locks stay short. Passes by rows that are locked; replicas may do this at once. */
export async function deleteInBatches(
  dataSource: DataSource,
  table: string,
  condition: string,
  parameters: unknown[],
): Promise<void> {
  for (;;) {
    const [, deleted] = await dataSource.query<[unknown, number]>(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
      parameters,
    );
    if (deleted < BATCH) return;
  }
}
