import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { imageContract, system } from '#libs/contracts';
import { IMAGE_STORAGE, type ImageStorage } from '#libs/image-storage';
import { LOGGER } from '#libs/platform';
import { RpcClient } from '#libs/transport';

const hourMs = 60 * 60 * 1000;
/** Content may learn of a picture long after it was stored, but not so long. */
const spareMs = 24 * hourMs;
const askedAtOnce = 500;

/**
 * Removes what uploads left in storage that never came to their end (their gateway died, or content never answered). Several gateways may do so at the
 * same time. Content is asked first: what it knows stays.
 */
@Injectable()
export class ImageSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(IMAGE_STORAGE) private readonly storage: ImageStorage,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly rpc: RpcClient,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweepNow(), hourMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Gives the ids of what it removed. Rejects when storage or content cannot be reached; then nothing unknown was removed. */
  async sweep(before = new Date(Date.now() - spareMs)): Promise<string[]> {
    const removed: string[] = [];
    let ids: string[] = [];
    for await (const id of this.storage.storedBefore(before)) {
      ids.push(id);
      if (ids.length < askedAtOnce) continue;
      removed.push(...(await this.removeUnknown(ids)));
      ids = [];
    }
    return [...removed, ...(await this.removeUnknown(ids))];
  }

  private async sweepNow(): Promise<void> {
    try {
      const removed = await this.sweep();
      if (removed.length > 0) this.logger.info({ images: removed }, 'Removed what unfinished uploads left');
    } catch (error) {
      this.logger.warn({ err: error }, 'What unfinished uploads left could not be looked for');
    }
  }

  private async removeUnknown(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const answer = await this.rpc.call(imageContract.known, { ids: [...ids] }, { actor: system });
    const known = new Set(answer.ids);
    const unknown = ids.filter((id) => !known.has(id));
    for (const id of unknown) await this.storage.remove(id);
    return unknown;
  }
}
