import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { KEEP_RECIPIENT_MAILS_SECONDS } from '#libs/database';
import { Clock, secondsAfter } from '../clock.js';
import { FORGET_AFTER_SECONDS } from '../credential/sign-in-throttle.js';
import { FORGET_DEVICES_AFTER_SECONDS } from '../device/known-device.service.js';
import { KEEP_LINKS_SECONDS } from '../link/account-link.service.js';

const EVERY_MS = 10 * 60 * 1000;
/** Where a session came from is personal data: kept a week after its end, for looking into an incident. */
const KEEP_ENDED_SECONDS = 7 * 24 * 60 * 60;
/** Rows of one statement, so that locks stay short. */
const BATCH = 1_000;

/** Deletes sessions long over, expired refresh tokens, old links, counts of mails, devices and sign-in attempts. Replicas may sweep at once. */
@Injectable()
export class RetentionWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RetentionWorker.name);
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running
        .then(() => this.sweep())
        .catch((error: unknown) => {
          // The next sweep catches up.
          this.logger.warn(`Sweeping sessions failed: ${error instanceof Error ? error.message : error}`);
        });
    }, EVERY_MS);
    this.timer.unref();
  }

  /** The pool closes after this: a sweep in hand ends first. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One sweep, now. */
  async sweep(): Promise<void> {
    const now = this.clock.now();
    const over = secondsAfter(now, -KEEP_ENDED_SECONDS);
    await this.delete('refresh_tokens', 'expires_at <= $1', now);
    await this.delete('sessions', 'ended_at <= $1', over);
    await this.delete('sessions', 'expires_at <= $1', over);
    await this.delete('account_links', 'created_at <= $1', secondsAfter(now, -KEEP_LINKS_SECONDS));
    await this.delete('recipient_mails', 'sent_at <= $1', secondsAfter(now, -KEEP_RECIPIENT_MAILS_SECONDS));
    await this.delete(
      'account_devices',
      'last_seen_at <= $1',
      secondsAfter(now, -FORGET_DEVICES_AFTER_SECONDS),
    );
    for (const table of ['google_flows', 'passkey_challenges', 'pending_sign_ins'])
      await this.delete(table, 'expires_at <= $1', now);
    await this.delete('sign_in_attempts', 'last_attempt_at <= $1', secondsAfter(now, -FORGET_AFTER_SECONDS));
  }

  private async delete(table: string, condition: string, moment: Date): Promise<void> {
    for (;;) {
      const [, deleted] = await this.dataSource.query<[unknown, number]>(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
        [moment],
      );
      if (deleted < BATCH) return;
    }
  }
}
