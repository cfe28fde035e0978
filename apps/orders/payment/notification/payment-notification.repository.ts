import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { uuidv7 } from '#libs/database';
import type { FailedCheck } from '../payment-provider.js';

/**
 * `recorded`: its event was stored; for a hint (`PaymentProvider.notifiesByHint`), the provider was asked about the attempt. `repeated`: it reports
 * nothing new. `remark`: about the order, but not about money. `held`: genuine, but it failed a check, so an admin has to review it. `stranger`:
 * about no attempt of ours, for example about one of another shop with the same account; a hint is then not verified. `forged`: the provider denies
 * having sent it, or its signature is wrong.
 */
export type NotificationStatus =
  | 'waiting'
  | 'recorded'
  | 'repeated'
  | 'remark'
  | 'held'
  | 'stranger'
  | 'forged';

export interface NewNotification {
  provider: string;
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body and the headers. An answer to an inquiry has no headers. */
  hash: Buffer;
  contentType: string;
  /** Null if it belongs to no attempt. */
  attemptId: string | null;
  /** How many notifications of its attempt were waiting or had proved forged when it arrived. At least 1 if another one was being stored. */
  doubt: number;
  traceparent?: string | null | undefined;
}

export interface LeasedNotification {
  id: string;
  provider: string;
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  lease: string;
  /** Including the current one. */
  tries: number;
  receivedAt: Date;
  denials: number;
  traceparent: string | null;
}

export interface UnverifiedNotification {
  id: string;
  provider: string;
  orderId: string;
  lastFailure: string | null;
}

/**
 * `first`: notifications of an attempt that arrived while no other one of the attempt was waiting, was being stored or had proved forged, and that
 * the provider has not denied. The others are `doubtful`, because every buyer can read the token of their attempt and forge many notifications with
 * it.
 */
const lanes = {
  first: 'attempt_id IS NOT NULL AND doubt = 0',
  doubtful: '(attempt_id IS NULL OR doubt > 0)',
} as const;
export type Lane = keyof typeof lanes;

/** Sorts denied notifications behind all others that belong to an attempt. */
const doubtOfDenied = 1_000_000;
const batchSize = 100;
/** How many decided notifications without an attempt are kept as evidence. */
const maxStrangers = 10_000;

/** No entity: nearly every statement leases, counts or deletes rows by conditions. */
@Injectable()
export class PaymentNotificationRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(
    tx: EntityManager,
    { provider, body, headers, hash, contentType, attemptId, doubt, traceparent = null }: NewNotification,
  ): Promise<void> {
    await tx.sql`
      INSERT INTO payment_notices (id, provider, source, body, headers, body_hash, content_type, received_at,
        last_received_at, attempt_id, doubt, traceparent, status, next_try_at)
      VALUES (${uuidv7()}, ${provider}, 'notice', ${body}, ${JSON.stringify(headers)}, ${hash}, ${contentType},
        now(), now(), ${attemptId}, ${doubt}, ${traceparent}, 'waiting', now())
      ON CONFLICT (body_hash) DO UPDATE SET receipts = payment_notices.receipts + 1, last_received_at = now()`;
  }

  /** An answer to an inquiry needs no verification: the caller decides about it at once. Undefined if the same answer is stored already. */
  async insertAnswer(
    tx: EntityManager,
    { provider, body, hash, attemptId }: Pick<NewNotification, 'provider' | 'body' | 'hash' | 'attemptId'>,
  ): Promise<string | undefined> {
    const id = uuidv7();
    const rows = await tx.sql<unknown[]>`
      INSERT INTO payment_notices (id, provider, source, body, body_hash, content_type, received_at,
        last_received_at, attempt_id, status, next_try_at)
      VALUES (${id}, ${provider}, 'lookup', ${body}, ${hash}, '', now(), now(), ${attemptId}, 'waiting', 'infinity')
      ON CONFLICT (body_hash) DO NOTHING RETURNING id`;
    return rows.length > 0 ? id : undefined;
  }

  /** Counts one more receipt of a stored notification. False if the notification is not stored yet. */
  async recordRepetition(hash: Buffer): Promise<boolean> {
    const [, counted] = await this.dataSource.sql<[unknown, number]>`
      UPDATE payment_notices SET receipts = receipts + 1, last_received_at = now() WHERE body_hash = ${hash}`;
    return counted > 0;
  }

  /**
   * Tries to lock the storing of the attempt's notifications, without waiting, and counts the waiting and the forged ones. `hasLock` is false if
   * another transaction has the lock.
   */
  async tryLockAndCount(
    tx: EntityManager,
    attemptId: string,
  ): Promise<{ hasLock: boolean; waiting: number; forged: number }> {
    const [{ hasLock }] = await tx.sql<[{ hasLock: boolean }]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended('notices of ' || ${attemptId}::text, 0)) AS "hasLock"`;
    const [counts] = await tx.sql<[{ waiting: number; forged: number }]>`
      SELECT (SELECT count(*) FROM payment_notices WHERE attempt_id = ${attemptId} AND status = 'waiting')::int AS waiting,
        forged_notices AS forged
      FROM payment_attempts WHERE id = ${attemptId}`;
    return { hasLock, ...counts };
  }

  async isFull(manager: EntityManager, capacity: number): Promise<boolean> {
    const [{ waiting }] = await manager.sql<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM (
        SELECT 1 FROM payment_notices WHERE status = 'waiting' LIMIT ${Math.ceil(capacity)}) AS bounded`;
    return waiting >= capacity;
  }

  /** The least doubtful come first, those of no attempt last. */
  async lease(lane: Lane, count: number, leaseMs: number): Promise<LeasedNotification[]> {
    // `sql` makes the text that a function returns a part of the statement, not a parameter.
    const inLane = () => lanes[lane];
    const [rows] = await this.dataSource.sql<[LeasedNotification[], number]>`
      UPDATE payment_notices
      SET lease = ${randomUUID()}, leased_until = now() + ${leaseMs} * interval '1 ms', tries = tries + 1
      WHERE id IN (
        SELECT id FROM payment_notices
        WHERE status = 'waiting' AND next_try_at <= now() AND (leased_until IS NULL OR leased_until < now())
          AND ${inLane}
        ORDER BY attempt_id IS NULL, doubt, next_try_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING id, provider, body, headers, lease, tries, received_at AS "receivedAt",
        refusals AS denials, traceparent`;
    return rows;
  }

  async renew(notifications: readonly LeasedNotification[], leaseMs: number): Promise<void> {
    const ids = notifications.map(({ id }) => id);
    const leases = notifications.map(({ lease }) => lease);
    await this.dataSource.sql`
      UPDATE payment_notices SET leased_until = now() + ${leaseMs} * interval '1 ms'
      FROM unnest(${ids}::uuid[], ${leases}::uuid[]) AS mine (id, lease)
      WHERE payment_notices.id = mine.id AND payment_notices.lease = mine.lease`;
  }

  /**
   * Ends the lease. `answer`: `denied` if the provider says that it did not send the notification; `confirmed` if it says that it did, so the
   * notification will not be reported as unverified.
   */
  async postpone(
    manager: EntityManager,
    { id, lease }: LeasedNotification,
    { pauseMs, failure, answer }: { pauseMs: number; failure: string; answer?: 'denied' | 'confirmed' },
  ): Promise<void> {
    const denied = answer === 'denied';
    await manager.sql`
      UPDATE payment_notices SET lease = NULL, leased_until = NULL, last_failure = ${failure},
        next_try_at = now() + ${pauseMs} * interval '1 ms', refusals = refusals + ${denied ? 1 : 0},
        doubt = GREATEST(doubt, ${denied ? doubtOfDenied : 0}),
        alerted_at = CASE WHEN ${answer === 'confirmed'} THEN coalesce(alerted_at, now()) ELSE alerted_at END
      WHERE id = ${id} AND lease = ${lease} AND status = 'waiting'`;
  }

  /** Notifications that the provider has denied and will be asked about again. */
  async countDenied(tx: EntityManager, attemptId: string): Promise<number> {
    const [{ denied }] = await tx.sql<[{ denied: number }]>`
      SELECT count(*)::int AS denied FROM payment_notices
      WHERE attempt_id = ${attemptId} AND status = 'waiting' AND refusals > 0`;
    return denied;
  }

  /** Makes the attempt's waiting notifications due, except denied ones. One about a refund may have waited for the one about the payment. */
  async wake(tx: EntityManager, attemptId: string): Promise<void> {
    await tx.sql`
      UPDATE payment_notices SET next_try_at = now()
      WHERE attempt_id = ${attemptId} AND status = 'waiting' AND source = 'notice' AND refusals = 0`;
  }

  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.sql`DELETE FROM payment_notices WHERE id = ${id}`;
  }

  /** Locks the row if this process still has the lease. */
  async lock(tx: EntityManager, { id, lease }: LeasedNotification): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      SELECT 1 FROM payment_notices WHERE id = ${id} AND lease = ${lease} AND status = 'waiting' FOR UPDATE`;
    return rows.length > 0;
  }

  async storeDecision(
    tx: EntityManager,
    id: string,
    status: Exclude<NotificationStatus, 'waiting'>,
    failed: readonly FailedCheck[] = [],
  ): Promise<void> {
    await tx.sql`
      UPDATE payment_notices SET status = ${status}, failed_checks = ${JSON.stringify(failed)}, decided_at = now(),
        lease = NULL, leased_until = NULL
      WHERE id = ${id}`;
  }

  /** Shortens long pauses, except those of denied notifications, after a recent decision: the providers probably answer again. */
  async wakePostponed(): Promise<void> {
    await this.dataSource.sql`
      UPDATE payment_notices SET next_try_at = now() + random() * interval '5 s'
      WHERE id IN (
        SELECT id FROM payment_notices
        WHERE status = 'waiting' AND source = 'notice' AND refusals = 0
          AND next_try_at > now() + interval '15 s'
          AND EXISTS (SELECT 1 FROM payment_notices WHERE decided_at > now() - interval '2 minutes')
        ORDER BY attempt_id IS NULL, next_try_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`;
  }

  /** Waiting notifications that belong to an attempt and are older than `afterMs`, oldest first. Leaves out confirmed and reported ones. */
  listUnverified(afterMs: number): Promise<UnverifiedNotification[]> {
    return this.dataSource.sql`
      SELECT notification.id, notification.provider, attempt.order_id AS "orderId", notification.last_failure AS "lastFailure"
      FROM payment_notices notification JOIN payment_attempts attempt ON attempt.id = notification.attempt_id
      WHERE notification.status = 'waiting' AND notification.alerted_at IS NULL
        AND notification.received_at < now() - ${afterMs} * interval '1 ms'
      ORDER BY notification.received_at LIMIT ${batchSize}`;
  }

  async markReported(tx: EntityManager, id: string): Promise<boolean> {
    const [, marked] = await tx.sql<[unknown, number]>`
      UPDATE payment_notices SET alerted_at = now()
      WHERE id = ${id} AND status = 'waiting' AND alerted_at IS NULL`;
    return marked > 0;
  }

  /** `failing` were tried more than twice. Leaves out denied notifications, which wait for a long time even when everything works. */
  async measureBacklog(): Promise<{ waiting: number; failing: number; oldestSeconds: number }> {
    const [backlog] = await this.dataSource.sql<
      [{ waiting: number; failing: number; oldestSeconds: number }]
    >`
      SELECT count(*)::int AS waiting, count(*) FILTER (WHERE tries > 2)::int AS failing,
        coalesce(extract(epoch FROM now() - min(received_at)), 0)::float AS "oldestSeconds"
      FROM payment_notices WHERE status = 'waiting' AND refusals = 0`;
    return backlog;
  }

  /** The bodies name buyers. The events keep the facts about money. */
  async eraseOldBodies(keepMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE payment_notices SET body = ''
      WHERE id IN (
        SELECT id FROM payment_notices
        WHERE decided_at < now() - ${keepMs} * interval '1 ms' AND body <> ''
        LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`;
  }

  /** Waiting notifications still need their bodies; a later `DeletedAccountService.sweep` empties them. */
  async eraseBodies(tx: EntityManager, accountId: string): Promise<void> {
    await tx.sql`
      UPDATE payment_notices SET body = ''
      WHERE decided_at IS NOT NULL AND body <> '' AND attempt_id IN (
        SELECT a.id FROM payment_attempts a JOIN orders o ON o.id = a.order_id WHERE o.account_id = ${accountId})`;
  }

  /**
   * Keeps the newest `maxStrangers` decided ones. Deletes waiting ones after four days: they would have no effect, whatever the provider answers, and
   * take space from others.
   */
  async deleteOldStrangers(): Promise<void> {
    await this.dataSource.sql`
      DELETE FROM payment_notices
      WHERE id IN (
        SELECT id FROM payment_notices WHERE attempt_id IS NULL AND decided_at IS NOT NULL
        ORDER BY id DESC OFFSET ${maxStrangers} LIMIT ${maxStrangers})`;
    await this.dataSource.sql`
      DELETE FROM payment_notices
      WHERE attempt_id IS NULL AND status = 'waiting' AND received_at < now() - interval '4 days'`;
  }
}
