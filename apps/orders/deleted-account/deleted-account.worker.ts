import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { DeletedAccountService } from './deleted-account.service.js';

const everyMs = 60_000;

/** Sweeps deleted accounts once a minute. */
@Injectable()
export class DeletedAccountWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask({
    everyMs,
    run: () => this.accounts.sweep(),
    onError: (error) => this.logger.warn({ err: error }, 'Sweeping deleted accounts failed'),
  });

  constructor(
    private readonly accounts: DeletedAccountService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  /** The pool closes after this: a sweep in progress ends first. */
  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }
}
