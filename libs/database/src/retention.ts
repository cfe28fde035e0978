import type { DataSource } from 'typeorm';
import type { Logger } from 'pino';
import { PeriodicTask } from '#libs/runtime';
import { isConnectionError } from './database-errors.js';

export interface RetentionOptions {
  dataSource: DataSource;
  logger: Logger;
}

const everyMs = 60_000;
/** How long sent events are kept, in case Redis restarts empty. Must exceed `resendMinutes` of the outbox relay. */
const sentEventsKeptFor = '15 minutes';
/** How long the inbox remembers a command. */
const commandsKeptFor = '24 hours';
/** How long a consumed event is remembered. Its stream may deliver it again until the event is trimmed, usually after 24 hours. */
const consumedEventsKeptFor = '7 days';
const batchSize = 1_000;

/** Deletes old rows of the three tables in `sweep`. Every replica has a sweeper, which skips rows that another one has locked. */
export class RetentionSweeper {
  private readonly task: PeriodicTask;

  constructor(private readonly options: RetentionOptions) {
    this.task = new PeriodicTask({
      everyMs,
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

  stop(): Promise<void> {
    return this.task.stop();
  }

  async sweep(): Promise<void> {
    await this.deleteOlder('outbox_messages', 'sent_at', sentEventsKeptFor);
    await this.deleteOlder('inbox_entries', 'created_at', commandsKeptFor);
    await this.deleteOlder('consumed_events', 'consumed_at', consumedEventsKeptFor);
  }

  /** Unsent outbox rows have no `sent_at` and stay. */
  private deleteOlder(table: string, column: string, age: string): Promise<void> {
    return deleteInBatches(this.options.dataSource, table, `${column} < now() - $1::interval`, [age]);
  }
}

/** Deletes in small statements, so that locks are short. Skips locked rows, so several replicas can run it at the same time. */
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
