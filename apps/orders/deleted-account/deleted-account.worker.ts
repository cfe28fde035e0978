import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { DeletedAccountService } from './deleted-account.service.js';

const everyMs = 60_000;

/** Sweeps deleted accounts once a minute. */
@Injectable()
export class DeletedAccountWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly accounts: DeletedAccountService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running
        .then(() => this.accounts.sweep())
        .catch((error: unknown) => this.logger.warn({ err: error }, 'Sweeping deleted accounts failed'));
    }, everyMs);
    this.timer.unref();
  }

  /** The pool closes after this: a sweep in progress ends first. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
