import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isConnectionError } from '#libs/database';
import { PROJECT_FILE_STORAGE, type ProjectFileStorage } from '#libs/file-storage';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, PeriodicTask, addSeconds } from '#libs/runtime';
import { FileRepository } from './file.repository.js';

const sweepMs = 60_000;
const batchSize = 100;
const retryAfterSeconds = 10 * 60;
const orphanSearchMs = 60 * 60 * 1000;
/** Younger files are kept, because a process may still be storing them. */
const orphanMinAgeSeconds = 24 * 60 * 60;
const idsPerQuery = 500;

/** Removes expired uploads, the bytes of deleted files, and bytes without a row. Several processes may do so at the same time. */
@Injectable()
export class FileExpiryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly expiry = new PeriodicTask({
    everyMs: sweepMs,
    run: () => this.removeExpired(),
    onError: (error) => this.report(error),
  });
  private readonly orphans = new PeriodicTask({
    everyMs: orphanSearchMs,
    run: () => this.removeOrphans(),
    onError: (error) => this.report(error),
  });

  constructor(
    private readonly files: FileRepository,
    private readonly clock: Clock,
    @Inject(PROJECT_FILE_STORAGE) private readonly storage: ProjectFileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.expiry.start();
    this.orphans.start();
  }

  async onModuleDestroy(): Promise<void> {
    // Does not wait for the search for orphan files, which reads the whole storage.
    void this.orphans.stop();
    await this.expiry.stop();
  }

  poll(): void {
    this.expiry.runSoon();
  }

  /** The bytes are removed first: if this process is killed before `finishRemoval`, the next run tries the file again. */
  async removeExpired(): Promise<void> {
    for (;;) {
      const ids = await this.files.takeExpired(this.clock.now(), batchSize);
      for (const id of ids) await this.remove(id);
      if (ids.length < batchSize) return;
    }
  }

  /** If the storage fails, this file is tried again later, and the other files are still removed. */
  private async remove(id: string): Promise<void> {
    const { uploads, files, previews } = this.storage;
    try {
      for (const area of [uploads, files, previews]) await area.remove(id);
    } catch (error) {
      this.logger.warn(
        { err: error, fileId: id },
        'Could not remove the bytes of an expired or deleted file',
      );
      return this.files.postponeRemoval(id, addSeconds(this.clock.now(), retryAfterSeconds));
    }
    await this.files.finishRemoval(id);
  }

  /** Orphans were stored after their row had been removed, or their project was deleted with the demo data. */
  async removeOrphans(before = addSeconds(this.clock.now(), -orphanMinAgeSeconds)): Promise<void> {
    const { uploads, files, previews } = this.storage;
    for (const area of [files, previews])
      await this.removeUnknown(area.idsStoredBefore(before), (id) => area.remove(id));
    await this.removeUnknown(uploads.idsStoredBefore(before), (id) => uploads.removeOrphan(id));
  }

  private async removeUnknown(
    stored: AsyncIterable<string>,
    remove: (id: string) => Promise<void>,
  ): Promise<void> {
    let ids: string[] = [];
    const removeUnknownOnes = async () => {
      for (const id of await this.files.unknownAmong(ids)) await remove(id);
      ids = [];
    };
    for await (const id of stored) {
      ids.push(id);
      if (ids.length >= idsPerQuery) await removeUnknownOnes();
    }
    if (ids.length > 0) await removeUnknownOnes();
  }

  /** Leaves out connection errors, because the readiness check reports an unreachable Postgres. */
  private report(error: unknown): void {
    if (!isConnectionError(error))
      this.logger.warn({ err: error }, 'Could not remove expired or orphan files');
  }
}
