import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { toDomainError } from './database-errors.js';
import { Inbox, type InboxKey } from './inbox.js';
import { Outbox } from './outbox.js';

export interface CommandStatement<T> {
  /** The prepared statement's name. Statements of the same name must have the same `condition`, `effects` and `assigned`. */
  name: string;
  /** SQL: unless it is true, the command has no effect. */
  condition: string;
  /** SQL: common table expressions. They must read `FROM claimed`, so that they run only if the command takes effect. */
  effects: string;
  /** The values of `$1`, `$2`, … in `condition` and `effects`. */
  parameters: unknown[];
  reply: T;
  /** SQL: a JSON object of values that the database assigns. They are added to the reply; `effects` read them from `claimed.reply`. */
  assigned?: string;
  /** The row of the event to publish, as `Outbox.row` returns it. */
  event: [string, string, string, string | null];
}

/**
 * An inbox for commands that must be cheap. The reply is known in advance, except for what the database assigns. Claim, effect, event and reply are
 * one prepared statement, which takes one round trip and is its own transaction.
 */
@Injectable()
export class OneStatementInbox {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Executes the command, or returns the reply of its first execution; undefined if `condition` did not hold. Throws IDEMPOTENCY_KEY_REUSED,
   * UNAVAILABLE.
   */
  async once<T>(key: InboxKey, command: CommandStatement<T>): Promise<T | undefined> {
    const { name, condition, effects, parameters, reply, assigned = "'{}'", event } = command;
    const ownValues = [key.requestId, key.fingerprint, JSON.stringify(reply), ...event];
    // Placeholders such as `$7`, which follow those of `parameters`.
    const [id, fingerprint, storedReply, ...message] = ownValues.map(
      (_, index) => `$${parameters.length + index + 1}`,
    );
    const text = `
      WITH claimed AS (
        INSERT INTO inbox_entries (request_id, fingerprint, reply)
        SELECT ${id}::text, ${fingerprint}::text, (${storedReply}::jsonb || ${assigned})::json WHERE ${condition}
        ON CONFLICT DO NOTHING RETURNING reply
      ), ${effects}, appended AS (
        INSERT INTO outbox_messages (id, event, payload, traceparent)
        SELECT ${message[0]}::uuid, ${message[1]}::text, ${message[2]}::jsonb, ${message[3]}::text FROM claimed
      )
      SELECT reply FROM claimed`;
    try {
      const { rows } = await this.pool.query<{ reply: T }>({
        name,
        text,
        values: [...parameters, ...ownValues],
      });
      if (!rows[0]) return await this.inbox.findReply<T>(key);
      this.outbox.announce();
      return rows[0].reply;
    } catch (error) {
      throw toDomainError(error);
    }
  }

  /** The driver's pool can prepare statements; TypeORM cannot. Planning the statement each time would cost more than executing it. */
  private get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }
}
