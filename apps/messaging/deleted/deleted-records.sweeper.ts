import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DeletedRecords } from './deleted-records.js';

const everyMs = 60_000;

/** Sees to it that what was deleted is gone an hour later. */
@Injectable()
export class DeletedRecordsSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeletedRecordsSweeper.name);
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly records: DeletedRecords) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running
        .then(() => this.records.sweep())
        .catch((error: unknown) => {
          // The next sweep catches up.
          this.logger.warn(
            `Sweeping deleted records failed: ${error instanceof Error ? error.message : error}`,
          );
        });
    }, everyMs);
    this.timer.unref();
  }

  /** The pool closes after this: a sweep in hand ends first. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
