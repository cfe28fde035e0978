import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { isConnectionError } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { OrderTotalsRepository } from './order-totals.repository.js';

const everyMs = 1000;

/** Folds the changes of orders into the totals. Reading adds what is not folded yet, so nothing depends on when this runs. */
@Injectable()
export class OrderTotalsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task = new PeriodicTask({
    everyMs,
    run: () => this.totals.fold(),
    onError: (error) => {
      // The readiness check reports a missing Postgres.
      if (!isConnectionError(error)) this.logger.error({ err: error }, 'Folding the totals of orders failed');
    },
  });

  constructor(
    private readonly totals: OrderTotalsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
