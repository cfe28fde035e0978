import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { DeletedRecordRepository } from './deleted-record.repository.js';

/** Deletes for good what was deleted more than an hour ago. */
@Injectable()
export class DeletedRecordsSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask({
    everyMs: 60_000,
    run: () => this.records.deleteExpired(),
    onError: (error) => this.logger.warn({ err: error }, 'Sweeping deleted records failed'),
  });

  constructor(
    private readonly records: DeletedRecordRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }
}
