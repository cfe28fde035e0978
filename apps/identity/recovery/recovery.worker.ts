import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { transaction, uuidv7 } from '#libs/database';
import { AccountMailService } from '../core/account-mail.service.js';
import { AccountEntity } from '../account/account.entity.js';
import { normalizeEmail } from '../account/email.js';
import { Clock, secondsAfter } from '../clock.js';
import { AccountLinkService } from '../link/account-link.service.js';

/** For what another replica left behind. */
const EVERY_MS = 2_000;
/** Who still waits after this long has asked again. */
const WORTHLESS_AFTER_SECONDS = 10 * 60;

/**
 * Requests for a new password. They are answered when they are noted down, and nobody has looked by then whether the address has an account: so the
 * answer, and the work before it, are the same for every address. The mail follows.
 */
@Injectable()
export class RecoveryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RecoveryWorker.name);
  private timer?: NodeJS.Timeout;
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly links: AccountLinkService,
    private readonly mail: AccountMailService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.workSoon(), EVERY_MS);
    this.timer.unref();
  }

  /** The pool closes after this: what is in hand ends first. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.working;
  }

  /** Needs no inbox: a request delivered twice causes one mail (`RecipientLimits`). */
  async note(email: string): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO recovery_requests (id, email_normalized, requested_at) VALUES ($1, $2, $3)`,
      [uuidv7(), normalizeEmail(email), this.clock.now()],
    );
    this.workSoon();
  }

  private workSoon(): void {
    this.working = this.working
      .then(async () => {
        while (await transaction(this.dataSource, (tx) => this.next(tx)));
      })
      .catch((error: unknown) => {
        // They stay, and the next round finds them.
        this.logger.warn(
          `Requests for a new password wait: ${error instanceof Error ? error.message : error}`,
        );
      });
  }

  /** The oldest request; false when there is none. */
  private async next(tx: EntityManager): Promise<boolean> {
    const [[request]] = await tx.query<[{ email_normalized: string; requested_at: Date }[], number]>(
      `DELETE FROM recovery_requests WHERE id = (
         SELECT id FROM recovery_requests ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING email_normalized, requested_at`,
    );
    if (!request) return false;
    const { email_normalized: emailNormalized, requested_at: requestedAt } = request;
    if (requestedAt <= secondsAfter(this.clock.now(), -WORTHLESS_AFTER_SECONDS)) return true;
    const account = await tx.findOne(AccountEntity, {
      where: { emailNormalized },
      lock: { mode: 'for_no_key_update' },
    });
    if (!account) return true;
    const { email } = account;
    const issued = await this.links.issueIfPermitted(tx, { account, purpose: 'reset-password', email });
    if ('link' in issued) await this.mail.send(tx, email, 'resetPassword', issued);
    return true;
  }
}
