import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DeletedRecordRepository } from './deleted-record.repository.js';

const everyMs = 60_000;

/** Deletes for good what was deleted more than an hour ago. */
@Injectable()
export class DeletedRecordsSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeletedRecordsSweeper.name);
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly records: DeletedRecordRepository) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running
        .then(() => this.records.deleteExpired())
        .catch((error: unknown) => {
          // The next sweep catches up.
          this.logger.warn(
            `Sweeping deleted records failed: ${error instanceof Error ? error.message : error}`,
          );
        });
    }, everyMs);
    this.timer.unref();
  }

  /** Waits for a sweep that is running: the database closes afterwards. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
