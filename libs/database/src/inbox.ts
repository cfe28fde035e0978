import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { transaction } from './transaction.js';

export interface InboxKey {
  /** The same id means the same command, repeated. */
  requestId: string;
  /** See `fingerprintOf`. Secret fields are left out, so a repetition with another password counts as the same command. */
  fingerprint: string;
}

/** Stores something else in place of a reply: a reply may hold secrets, or be out of date when the request is repeated. */
export interface ReplyStorage<T, S> {
  /** Returns what is stored. It must survive JSON. */
  toStored(result: T): S;
  /** Makes an equivalent reply in the transaction of the repeated request. Repetitions of one request run one at a time. */
  restore(stored: S, tx: EntityManager): T | Promise<T>;
}

/**
 * Applies each command and each event once: the effect and a row for it commit in one transaction. A second delivery waits at the primary key. If
 * the first commits, the second changes nothing, and a command gets the stored reply. If the first rolls back, the second does the work itself.
 */
@Injectable()
export class Inbox {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work`; or, if this request was done before, returns the stored reply. A failure stores nothing, so the same id can be used again.
   *
   * `work` must use `tx` for everything (see `transaction`). Without `reply`, its result must survive JSON.
   *
   * Throws IDEMPOTENCY_KEY_REUSED if the id came before with another fingerprint, UNAVAILABLE if the database fails temporarily, and what `work`
   * throws.
   */
  async once<T, S = T>(
    { requestId, fingerprint }: InboxKey,
    work: (tx: EntityManager) => Promise<T>,
    reply?: ReplyStorage<T, S>,
  ): Promise<T> {
    return transaction(this.dataSource, async (tx) => {
      if (await this.claim(tx, requestId, fingerprint)) {
        const result = await work(tx);
        const stored = reply ? reply.toStored(result) : result;
        await tx.query(`UPDATE inbox_entries SET reply = $2 WHERE request_id = $1`, [
          requestId,
          stored === undefined ? null : JSON.stringify(stored),
        ]);
        return result;
      }
      const entry = await this.lockEntry(tx, requestId);
      if (entry.fingerprint !== fingerprint) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
      return reply ? reply.restore(entry.reply as S, tx) : (entry.reply as T);
    });
  }

  /**
   * Runs `work` unless `consumerName` has consumed this event before. Each handler of an event in a service needs its own name. The name must never
   * change, because under another name every event counts as new.
   */
  async consume(
    consumerName: string,
    eventId: string,
    work: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    await transaction(this.dataSource, async (tx) => {
      const rows: unknown[] = await tx.query(
        `INSERT INTO consumed_events (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
        [consumerName, eventId],
      );
      if (rows.length > 0) await work(tx);
    });
  }

  /** The stored reply, or what `ReplyStorage` stored in its place; undefined if the request was not executed yet. Throws IDEMPOTENCY_KEY_REUSED. */
  async findReply<T>({ requestId, fingerprint }: InboxKey): Promise<T | undefined> {
    const [entry] = await this.dataSource.query<{ fingerprint: string; reply: unknown }[]>(
      `SELECT fingerprint, reply FROM inbox_entries WHERE request_id = $1`,
      [requestId],
    );
    if (entry && entry.fingerprint !== fingerprint) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    return entry?.reply as T | undefined;
  }

  private async claim(tx: EntityManager, requestId: string, fingerprint: string): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO inbox_entries (request_id, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
      [requestId, fingerprint],
    );
    return rows.length > 0;
  }

  private async lockEntry(
    tx: EntityManager,
    requestId: string,
  ): Promise<{ fingerprint: string; reply: unknown }> {
    const [entry] = await tx.query<{ fingerprint: string; reply: unknown }[]>(
      `SELECT fingerprint, reply FROM inbox_entries WHERE request_id = $1 FOR UPDATE`,
      [requestId],
    );
    // The row was swept between the two statements.
    if (!entry) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
    return entry;
  }
}
