import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import {
  broadcasts,
  type CallInput,
  DomainError,
  fieldErrors,
  type Image,
  imageContract,
  type ImageInput,
  imageInput,
} from '#libs/contracts';
import { IMAGE_STORAGE, type FileStorage } from '#libs/file-storage';
import { LOGGER } from '#libs/platform';
import { Broadcaster, type CallOptions, RpcClient } from '#libs/transport';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { HttpFailure } from '../problem/problem.js';
import { fileNameIn } from './file-name.js';
import { ImageProcessor, unusable } from './image-processor.js';
import { spool, type SpooledBody } from './spool.js';

/** Each upload needs an open file and a connection. */
const maxUploads = 8;
const retryAfterSeconds = 10;

export interface Upload {
  body: Readable | undefined;
  /** From `Content-Length`; 0 if it is missing. */
  announcedBytes: number;
}

interface UploadQuery {
  name?: string;
  alt?: string;
}

@Injectable()
export class ImageUploads implements OnApplicationShutdown {
  private underWay = 0;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(IMAGE_STORAGE) private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly processor: ImageProcessor,
    private readonly broadcaster: Broadcaster,
    private readonly rpc: RpcClient,
  ) {}

  onApplicationShutdown(): void {
    this.processor.stop();
  }

  /**
   * The same bytes are one picture, however often they are uploaded. Throws INVALID_INPUT (for an unusable picture, with the field `image`),
   * BODY_TOO_LARGE, OVERLOADED, COLLECTION_FULL, IDEMPOTENCY_KEY_REUSED, UNAVAILABLE.
   */
  async upload({ body, announcedBytes }: Upload, query: UploadQuery, caller: CallOptions): Promise<Image> {
    const description = parseDescription(query);
    const maxBytes = this.config.IMAGE_LIMIT_BYTES;
    if (!body) throw unusable('is empty');
    if (announcedBytes > maxBytes) throw new HttpFailure('BODY_TOO_LARGE');
    if (this.underWay >= maxUploads) throw new DomainError('OVERLOADED', { retryAfterSeconds });
    this.underWay += 1;
    try {
      const { file, bytes, digest } = await this.receive(body, maxBytes);
      try {
        if (bytes === 0) throw unusable('is empty');
        const existing = await this.rpc.call(imageContract.find, { digest }, caller);
        if (existing) return existing;
        const processed = await this.processor.process(file);
        const files = processed.files.map(({ name, body }) => ({ name, body: Buffer.from(body) }));
        const { width, height } = processed;
        return await this.storeAndRegister(files, { ...description, digest, width, height }, caller);
      } finally {
        await file.close();
      }
    } finally {
      this.underWay -= 1;
    }
  }

  /** Throws BODY_TOO_LARGE, or UNAVAILABLE for any other failure, such as a full disk. A client that disconnects is not logged. */
  private async receive(body: Readable, maxBytes: number): Promise<SpooledBody> {
    try {
      return await spool(body, { folder: this.storage.spoolFolder, maxBytes });
    } catch (error) {
      if (error instanceof HttpFailure) throw error;
      if (!body.readableAborted) this.logger.error({ err: error }, 'Could not receive an upload');
      throw cannotStore();
    }
  }

  /** The content service decides first: it refuses to delete a picture in use. `ImageSweeper` removes files that are left over. */
  async deleteImage(
    id: string,
    ifVersion: number | undefined,
    caller: CallOptions,
  ): Promise<{ _id: string }> {
    const removed = await this.rpc.call(imageContract.remove, { id, ifVersion }, caller);
    await this.discard(removed._id);
    return removed;
  }

  /** Stores before registering, so that every returned address works. */
  private async storeAndRegister(
    files: { name: string; body: Buffer }[],
    details: Omit<CallInput<typeof imageContract.add>, 'id' | 'files'>,
    { actor, traceparent }: CallOptions,
  ): Promise<Image> {
    const id = uuidv7();
    try {
      await this.storage.put(id, files);
    } catch (error) {
      this.logger.error({ err: error }, 'Could not store a picture');
      throw cannotStore();
    }
    const input = { ...details, id, files: files.map(({ name, body }) => ({ name, bytes: body.length })) };
    // `imageContract.find` is a command too and has used the caller's request id, so this one needs its own.
    const command = { actor, requestId: randomUUID(), ...(traceparent === undefined ? {} : { traceparent }) };
    try {
      const image = await this.rpc.call(imageContract.add, input, command);
      // If the ids differ, another request has uploaded the same bytes in the meantime.
      if (image._id !== id) await this.discard(id);
      return image;
    } catch (error) {
      // COLLECTION_FULL means that the picture is not registered. After any other failure it may be, so its files stay; `ImageSweeper` removes them
      // if it is not.
      if (error instanceof DomainError && error.code === 'COLLECTION_FULL') await this.discard(id);
      throw error;
    }
  }

  private async discard(id: string): Promise<void> {
    try {
      await this.storage.remove(id);
    } catch (error) {
      this.logger.warn({ err: error, image: id }, 'Could not remove the files of a picture');
    }
    this.broadcaster.publish(broadcasts.imageRemoved, { id }).catch(() => undefined);
  }
}

const cannotStore = () =>
  new DomainError('UNAVAILABLE', { retryAfterSeconds }, 'We can’t store images right now. Try again later.');

function parseDescription({ name = '', alt = '' }: UploadQuery): ImageInput {
  const parsed = imageInput.safeParse({ name: fileNameIn(name), alt });
  if (!parsed.success) throw DomainError.invalid(fieldErrors(parsed.error));
  return parsed.data;
}
