import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isConnectionError } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { VatIdCheckRepository } from './vat-id-check.repository.js';
import { VatIdService } from './vat-id.service.js';

const everyMs = 10_000;
/** VIES, the register of VAT IDs, refuses requests when too many arrive in parallel. */
const concurrency = 2;

/** Asks the register about the VAT IDs whose check is due. */
@Injectable()
export class VatIdWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask({
    everyMs,
    run: () => this.pass(),
    onError: (error) => {
      // The readiness check reports an unreachable Postgres.
      if (!isConnectionError(error)) this.logger.error({ err: error }, 'Checking VAT IDs failed');
    },
  });

  constructor(
    private readonly checks: VatIdCheckRepository,
    private readonly vatIds: VatIdService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  private async pass(): Promise<void> {
    const due = await this.checks.takeDue(concurrency);
    await Promise.all(due.map((vatId) => this.vatIds.askRegisterAndStore(vatId)));
    if (due.length === concurrency) this.task.runSoon();
  }
}
