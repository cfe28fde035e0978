import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { broadcasts, imageContract, system } from '#libs/contracts';
import { IMAGE_STORAGE, type FileStorage } from '#libs/file-storage';
import { LOGGER } from '#libs/platform';
import { Clock, PeriodicTask, addSeconds } from '#libs/runtime';
import { Broadcaster, RpcClient } from '#libs/transport';

const sweepIntervalMs = 60 * 60 * 1000;
/** Content learns about a picture only after it is stored, so younger pictures are kept. */
const minAgeSeconds = 24 * 60 * 60;
const idsPerCall = 500;

/**
 * Removes the files of pictures that the content service does not know: leftovers of unfinished uploads, and deleted pictures that could not be
 * removed immediately. Several gateways may sweep at the same time.
 */
@Injectable()
export class ImageSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task = new PeriodicTask({
    everyMs: sweepIntervalMs,
    run: () => this.sweepAndLog(),
    onError: (error) =>
      this.logger.warn(
        { err: error },
        'Could not find or remove the files of pictures that the content service does not know',
      ),
  });

  constructor(
    @Inject(IMAGE_STORAGE) private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly broadcaster: Broadcaster,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onApplicationShutdown(): void {
    // Not awaited, because a sweep may take long. A later sweep removes what this one leaves.
    void this.task.stop();
  }

  /** Resolves with the ids that were removed. Rejects when storage or content cannot be reached. */
  async sweep(before = addSeconds(this.clock.now(), -minAgeSeconds)): Promise<string[]> {
    const removed: string[] = [];
    let ids: string[] = [];
    for await (const id of this.storage.idsStoredBefore(before)) {
      ids.push(id);
      if (ids.length < idsPerCall) continue;
      removed.push(...(await this.removeUnknown(ids)));
      ids = [];
    }
    return [...removed, ...(await this.removeUnknown(ids))];
  }

  private async sweepAndLog(): Promise<void> {
    const removed = await this.sweep();
    if (removed.length > 0)
      this.logger.info(
        { images: removed },
        'Removed the files of pictures that the content service does not know',
      );
  }

  private async removeUnknown(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const answer = await this.rpc.call(imageContract.known, { ids: [...ids] }, { actor: system });
    const known = new Set(answer.ids);
    const unknown = ids.filter((id) => !known.has(id));
    for (const id of unknown) {
      await this.storage.remove(id);
      // A gateway may have read the picture into memory since content deleted it.
      this.broadcaster.publish(broadcasts.imageRemoved, { id }).catch(() => undefined);
    }
    return unknown;
  }
}
