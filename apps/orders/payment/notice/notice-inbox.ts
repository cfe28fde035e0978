import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { PaymentAttempts } from '../attempt/payment-attempts.js';
import { type FailedCheck, PaymentProvider } from '../payment-provider.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';

/** `stranger`: genuine, and about no attempt of ours. */
export type NoticeStatus = 'waiting' | 'recorded' | 'repeated' | 'remark' | 'held' | 'stranger' | 'forged';

export interface ArrivedNotice {
  body: Buffer;
  contentType: string;
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
  traceparent: string | null;
}

/** PayPal comes back by itself; sooner than this the backlog is no shorter. */
const fullRetrySeconds = 60;

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
   * Keeps the bytes; the same bytes again are counted only, so that a repeated command does no harm. OVERLOADED while too many wait: floods
   * fill the half that is open to strangers, and never that of notices with a token of ours.
   */
  async receive(notice: ArrivedNotice): Promise<void> {
    const hash = createHash('sha256').update(notice.body).digest();
    if (await this.countAgain(hash)) return;
    const token = this.provider.tokenIn(notice.body);
    const attempt = await this.attempts.byToken(this.dataSource.manager, token);
    await this.refuseWhenFull(attempt ? this.settings.backlog : this.settings.backlog / 2);
    await this.dataSource.query(
      `INSERT INTO payment_notices (id, provider, source, body, body_hash, content_type, received_at,
         last_received_at, attempt_id, traceparent, status, next_try_at)
       VALUES ($1, $2, 'notice', $3, $4, $5, now(), now(), $6, $7, 'waiting', now())
       ON CONFLICT (body_hash) DO UPDATE SET receipts = payment_notices.receipts + 1, last_received_at = now()`,
      [
        ...[uuidv7(), this.provider.name, notice.body, hash, notice.contentType],
        ...[attempt?.id ?? null, notice.traceparent ?? null],
      ],
    );
    for (const tell of this.arrivals) tell();
  }

  /** `tell` is called whenever a notice came in through this process. */
  onArrival(tell: () => void): void {
    this.arrivals.add(tell);
  }

  /** Up to `count` notices whose time has come and that nobody has, those with a token of ours first. */
  async lease(count: number): Promise<LeasedNotice[]> {
    const lease = randomUUID();
    const [rows] = await this.dataSource.query<[LeasedNotice[], number]>(
      `UPDATE payment_notices SET lease = $1, leased_until = now() + $2 * interval '1 ms', tries = tries + 1
       WHERE id IN (
         SELECT id FROM payment_notices
         WHERE status = 'waiting' AND next_try_at <= now() AND (leased_until IS NULL OR leased_until < now())
         ORDER BY attempt_id IS NULL, next_try_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, body, lease, tries, traceparent`,
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

  private async refuseWhenFull(capacity: number): Promise<void> {
    const [{ waiting }] = await this.dataSource.query<[{ waiting: string }]>(
      `SELECT count(*) AS waiting FROM (
         SELECT 1 FROM payment_notices WHERE status = 'waiting' LIMIT $1) AS bounded`,
      [Math.ceil(capacity)],
    );
    if (Number(waiting) >= capacity) {
      throw new DomainError('OVERLOADED', { retryAfterSeconds: fullRetrySeconds });
    }
  }
}
