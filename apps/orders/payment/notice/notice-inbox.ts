import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { transaction, uuidv7 } from '#libs/database';
import { PaymentAttempts } from '../attempt/payment-attempts.js';
import { type FailedCheck, PaymentProvider } from '../payment-provider.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';

/** `stranger`: genuine, and about no attempt of ours. */
export type NoticeStatus = 'waiting' | 'recorded' | 'repeated' | 'remark' | 'held' | 'stranger' | 'forged';

export interface ArrivedNotice {
  body: Buffer;
  contentType: string;
  /** Its client network has sent too many. */
  networkOverLimit: boolean;
  traceparent?: string;
}

/** A notice that this process has to itself until its lease runs out. */
export interface LeasedNotice {
  id: string;
  body: Buffer;
  /** Names this lease; another one of the same notice has another. */
  lease: string;
  /** This one included. */
  tries: number;
  receivedAt: Date;
  /** How often the provider said that it did not send it. */
  refusals: number;
  traceparent: string | null;
}

/**
 * `first`: of an attempt of which no other notification was waiting or refused when it came. Everything else is doubtful: who has a
 * token, as every buyer has, can forge more, and what has no token of ours has no effect.
 */
const lanes = {
  first: 'attempt_id IS NOT NULL AND doubt = 0',
  doubtful: '(attempt_id IS NULL OR doubt > 0)',
} as const;
export type Lane = keyof typeof lanes;

/** PayPal comes back by itself; sooner than this the backlog is no shorter. */
const fullRetrySeconds = 60;
/** What was refused is asked about after everything that was not. */
const doubtOfRefused = 1_000_000;

/**
 * What the provider sent, stored before it is acknowledged: from then on it cannot be lost, whichever process dies. Deciding about it comes
 * later (`NoticeWorker`).
 */
@Injectable()
export class NoticeInbox {
  private readonly arrivals = new Set<() => void>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly attempts: PaymentAttempts,
    private readonly provider: PaymentProvider,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  /**
   * Keeps the bytes; the same bytes again are counted only, so that a repeated command does no harm. What is known of the token decides who is
   * let in: the first notification of an attempt as long as there is room at all, others up to a quota of the attempt and of the backlog.
   * False for what is doubtful and comes from a network that has sent too many. OVERLOADED while too many wait.
   */
  async receive(notice: ArrivedNotice): Promise<boolean> {
    const token = this.provider.tokenIn(notice.body);
    const attempt = await this.attempts.byToken(this.dataSource.manager, token);
    if (!attempt && notice.networkOverLimit) return false;
    const hash = createHash('sha256').update(notice.body).digest();
    if (await this.countAgain(hash)) return true;
    const isStored = attempt
      ? await this.receiveFor(attempt.id, notice, hash)
      : await this.receiveFromStranger(notice, hash);
    if (isStored) for (const tell of this.arrivals) tell();
    return isStored;
  }

  /** Of many at once only one is the first of its attempt: the one that gets the lock. None waits for another. */
  private receiveFor(attemptId: string, notice: ArrivedNotice, hash: Buffer): Promise<boolean> {
    const { backlog, attemptBacklog } = this.settings;
    return transaction(this.dataSource, async (tx) => {
      const [{ alone }] = await tx.query<[{ alone: boolean }]>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('notices of ' || $1, 0)) AS alone`,
        [attemptId],
      );
      const [{ waiting, refused }] = await tx.query<[{ waiting: number; refused: number }]>(
        `SELECT (SELECT count(*) FROM payment_notices WHERE attempt_id = $1 AND status = 'waiting')::int AS waiting,
           forged_notices AS refused
         FROM payment_attempts WHERE id = $1`,
        [attemptId],
      );
      const doubt = Math.max(waiting + refused, alone ? 0 : 1);
      if (doubt > 0 && notice.networkOverLimit) return false;
      if (waiting >= attemptBacklog) throw overloaded();
      await this.refuseWhenFull(tx, doubt > 0 ? backlog * 0.75 : backlog);
      await this.insert(tx, notice, { hash, attemptId, doubt });
      return true;
    });
  }

  private async receiveFromStranger(notice: ArrivedNotice, hash: Buffer): Promise<true> {
    const { manager } = this.dataSource;
    await this.refuseWhenFull(manager, this.settings.backlog / 2);
    await this.insert(manager, notice, { hash, attemptId: null, doubt: 0 });
    return true;
  }

  private async insert(
    tx: EntityManager,
    { body, contentType, traceparent }: ArrivedNotice,
    { hash, attemptId, doubt }: { hash: Buffer; attemptId: string | null; doubt: number },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO payment_notices (id, provider, source, body, body_hash, content_type, received_at,
         last_received_at, attempt_id, doubt, traceparent, status, next_try_at)
       VALUES ($1, $2, 'notice', $3, $4, $5, now(), now(), $6, $7, $8, 'waiting', now())
       ON CONFLICT (body_hash) DO UPDATE SET receipts = payment_notices.receipts + 1, last_received_at = now()`,
      [
        ...[uuidv7(), this.provider.name, body, hash, contentType],
        ...[attemptId, doubt, traceparent ?? null],
      ],
    );
  }

  /** `tell` is called whenever a notice came in through this process. */
  onArrival(tell: () => void): void {
    this.arrivals.add(tell);
  }

  /**
   * Up to `count` notifications of a lane whose time has come and that nobody has. Of the doubtful ones the least doubtful come first, and
   * those without a token of ours last.
   */
  async lease(lane: Lane, count: number): Promise<LeasedNotice[]> {
    const lease = randomUUID();
    const [rows] = await this.dataSource.query<[LeasedNotice[], number]>(
      `UPDATE payment_notices SET lease = $1, leased_until = now() + $2 * interval '1 ms', tries = tries + 1
       WHERE id IN (
         SELECT id FROM payment_notices
         WHERE status = 'waiting' AND next_try_at <= now() AND (leased_until IS NULL OR leased_until < now())
           AND ${lanes[lane]}
         ORDER BY attempt_id IS NULL, doubt, next_try_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, body, lease, tries, received_at AS "receivedAt", refusals, traceparent`,
      [lease, this.settings.leaseMs, count],
    );
    return rows;
  }

  /** Goes on having them. */
  async renew(notices: readonly LeasedNotice[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE payment_notices SET leased_until = now() + $2 * interval '1 ms'
       FROM unnest($1::uuid[], $3::uuid[]) AS mine (id, lease)
       WHERE payment_notices.id = mine.id AND payment_notices.lease = mine.lease`,
      [notices.map(({ id }) => id), this.settings.leaseMs, notices.map(({ lease }) => lease)],
    );
  }

  /** Gives it back, to be tried again after `pauseMs`. */
  async postpone({ id, lease }: LeasedNotice, pauseMs: number, failure: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE payment_notices SET lease = NULL, leased_until = NULL, last_failure = $4,
         next_try_at = now() + $3 * interval '1 ms'
       WHERE id = $1 AND lease = $2 AND status = 'waiting'`,
      [id, lease, pauseMs, failure],
    );
  }

  /** The same in the transaction that holds it: it waits for its payment. */
  async waitForPayment(tx: EntityManager, id: string, pauseMs: number): Promise<void> {
    await tx.query(
      `UPDATE payment_notices SET lease = NULL, leased_until = NULL, last_failure = 'its payment is not known yet',
         next_try_at = now() + $2 * interval '1 ms'
       WHERE id = $1`,
      [id, pauseMs],
    );
  }

  /** Likewise: the provider says that it did not send it, and is asked again. */
  async doubt(tx: EntityManager, id: string, pauseMs: number): Promise<void> {
    await tx.query(
      `UPDATE payment_notices SET lease = NULL, leased_until = NULL, refusals = refusals + 1,
         doubt = GREATEST(doubt, $3), last_failure = 'the provider says that it did not send it',
         next_try_at = now() + $2 * interval '1 ms'
       WHERE id = $1`,
      [id, pauseMs, doubtOfRefused],
    );
  }

  /** How many notifications of an attempt are refused and to be asked about again. */
  async refused(tx: EntityManager, attemptId: string): Promise<number> {
    const [{ refused }] = await tx.query<[{ refused: number }]>(
      `SELECT count(*)::int AS refused FROM payment_notices
       WHERE attempt_id = $1 AND status = 'waiting' AND refusals > 0`,
      [attemptId],
    );
    return refused;
  }

  /** Has those of an attempt looked at now that waited for its payment. */
  async wake(tx: EntityManager, attemptId: string): Promise<void> {
    await tx.query(
      `UPDATE payment_notices SET next_try_at = now()
       WHERE attempt_id = $1 AND status = 'waiting' AND source = 'notice' AND refusals = 0`,
      [attemptId],
    );
  }

  /** Evidence enough is kept of its kind. */
  async remove(tx: EntityManager, id: string): Promise<void> {
    await tx.query(`DELETE FROM payment_notices WHERE id = $1`, [id]);
  }

  /** Whether it is still this process's to decide. If so it stays locked until the transaction ends. */
  async hold(tx: EntityManager, { id, lease }: LeasedNotice): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM payment_notices WHERE id = $1 AND lease = $2 AND status = 'waiting' FOR UPDATE`,
      [id, lease],
    );
    return rows.length > 0;
  }

  async settle(
    tx: EntityManager,
    id: string,
    status: Exclude<NoticeStatus, 'waiting'>,
    failed: readonly FailedCheck[] = [],
  ): Promise<void> {
    await tx.query(
      `UPDATE payment_notices SET status = $2, failed_checks = $3, decided_at = now(), lease = NULL,
         leased_until = NULL
       WHERE id = $1`,
      [id, status, JSON.stringify(failed)],
    );
  }

  /**
   * Keeps what the provider told when it was asked, which needs no verification. Undefined when the very same was told before.
   */
  async keepAnswer(tx: EntityManager, body: Buffer, attemptId: string): Promise<string | undefined> {
    const id = uuidv7();
    const rows: unknown[] = await tx.query(
      `INSERT INTO payment_notices (id, provider, source, body, body_hash, content_type, received_at,
         last_received_at, attempt_id, status, next_try_at)
       VALUES ($1, $2, 'lookup', $3, $4, '', now(), now(), $5, 'waiting', 'infinity')
       ON CONFLICT (body_hash) DO NOTHING RETURNING id`,
      [id, this.provider.name, body, createHash('sha256').update(body).digest(), attemptId],
    );
    return rows.length > 0 ? id : undefined;
  }

  private async countAgain(hash: Buffer): Promise<boolean> {
    const [, counted] = await this.dataSource.query<[unknown, number]>(
      `UPDATE payment_notices SET receipts = receipts + 1, last_received_at = now() WHERE body_hash = $1`,
      [hash],
    );
    return counted > 0;
  }

  private async refuseWhenFull(tx: EntityManager, capacity: number): Promise<void> {
    const [{ waiting }] = await tx.query<[{ waiting: string }]>(
      `SELECT count(*) AS waiting FROM (
         SELECT 1 FROM payment_notices WHERE status = 'waiting' LIMIT $1) AS bounded`,
      [Math.ceil(capacity)],
    );
    if (Number(waiting) >= capacity) throw overloaded();
  }
}

function overloaded(): DomainError {
  return new DomainError('OVERLOADED', { retryAfterSeconds: fullRetrySeconds });
}
