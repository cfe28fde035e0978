import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { accountContract } from '#libs/contracts';
import { transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, PeriodicTask, addSeconds } from '#libs/runtime';
import { Handles } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';
import { normalizeEmail } from '../account/email.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { MailedLinkService } from '../link/mailed-link.service.js';
import { RecoveryRequestRepository } from './recovery-request.repository.js';

/** An older request is dropped without an e-mail. Somebody who still needs the link has probably asked again. */
const expireAfterSeconds = 10 * 60;

/** A request is stored and answered, and its account is looked up later. So the answer and its time are the same for every address. */
@Injectable()
export class RecoveryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask({
    // Picks up requests left behind by another replica; a replica handles its own immediately.
    everyMs: 2_000,
    run: () => this.handleAll(),
    // The requests stay in the table, and the next round finds them.
    onError: (error) => this.logger.warn({ err: error }, 'Sending password reset links failed'),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly requests: RecoveryRequestRepository,
    private readonly accounts: AccountRepository,
    private readonly links: MailedLinkService,
    private readonly mail: AccountMailService,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  /** Waits for requests in progress, because the database connections close afterwards. */
  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Needs no inbox: `issueIfPermitted` issues at most one link a minute for an account, so a call that is executed twice sends only one e-mail. */
  @Handles(accountContract.forgotPassword)
  async request({ email }: { email: string }): Promise<{ accepted: true }> {
    const requestedAt = this.clock.now();
    await this.requests.insert({ emailNormalized: normalizeEmail(email), requestedAt });
    this.task.runSoon();
    return { accepted: true };
  }

  private async handleAll(): Promise<void> {
    while (await transaction(this.dataSource, (tx) => this.handleOldest(tx)));
  }

  private async handleOldest(tx: EntityManager): Promise<boolean> {
    const request = await this.requests.takeOldest(tx);
    if (!request) return false;
    const { emailNormalized, requestedAt } = request;
    if (requestedAt <= addSeconds(this.clock.now(), -expireAfterSeconds)) return true;
    const account = await this.accounts.lock(tx, { emailNormalized });
    if (!account) return true;
    const { email } = account;
    const issued = await this.links.issueIfPermitted(tx, { account, purpose: 'reset-password', email });
    if ('link' in issued) await this.mail.send(tx, email, 'resetPassword', issued);
    return true;
  }
}
