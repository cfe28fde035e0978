import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { isConnectionError } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { OrderTotalsRepository } from './order-totals.repository.js';

const foldEveryMs = 1000;

/** Folds the changes of orders into the totals. Reading adds what is not folded yet, so nothing depends on when this runs. */
@Injectable()
export class OrderTotalsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer?: NodeJS.Timeout;
  private folding: Promise<void> = Promise.resolve();

  constructor(
    private readonly totals: OrderTotalsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.folding = this.folding.then(() => this.fold());
    }, foldEveryMs);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.folding;
  }

  private async fold(): Promise<void> {
    try {
      await this.totals.fold();
    } catch (error) {
      // The readiness check reports a missing Postgres.
      if (!isConnectionError(error)) this.logger.error({ err: error }, 'Folding the totals of orders failed');
    }
  }
}
