import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { v5 as uuidv5 } from 'uuid';
import {
  DomainError,
  importBatchRows,
  type SubscriberImport,
  subscriberImportContract,
} from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { type CallOptions, RpcClient } from '#libs/transport';
import { type AddressRow, parseAddressFile } from './address-file.js';

/** Each file is in memory. */
const maxFiles = 3;
const maxAttempts = 20;
const retryMs = 1_000;

interface Description {
  name?: string;
  consent: string;
}

@Injectable()
export class SubscriberImports implements OnModuleDestroy {
  private readonly running = new Map<string, Promise<void>>();
  private readingCount = 0;
  private stopping = false;

  constructor(
    private readonly rpc: RpcClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Waits only for the current batch of each import. A minute after its last batch, an unfinished import has the state `stopped`. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running.values());
  }

  /** Throws INVALID_INPUT, OVERLOADED, IDEMPOTENCY_KEY_REUSED. */
  async start(file: Buffer, description: Description, caller: CallOptions): Promise<SubscriberImport> {
    if (this.readingCount + this.running.size >= maxFiles)
      throw new DomainError('OVERLOADED', { retryAfterSeconds: 10 });
    this.readingCount += 1;
    try {
      return await this.startWithinLimit(file, description, caller);
    } finally {
      this.readingCount -= 1;
    }
  }

  private async startWithinLimit(
    file: Buffer,
    { name = 'subscribers.csv', consent }: Description,
    caller: CallOptions,
  ): Promise<SubscriberImport> {
    const rows = await parseAddressFile(file);
    const subscriberImport = await this.rpc.call(
      subscriberImportContract.beginImport,
      { name, consent, rows: rows.length },
      caller,
    );
    const { _id: id } = subscriberImport;
    // A repeated request gets the import that the first one began, whose batches may already be under way.
    if (!this.running.has(id)) {
      const work = this.sendBatches(id, rows, caller)
        .catch((error: unknown) =>
          this.logger.error({ err: error, import: id }, 'An import of subscribers failed'),
        )
        .finally(() => this.running.delete(id));
      this.running.set(id, work);
    }
    return subscriberImport;
  }

  private async sendBatches(id: string, rows: readonly AddressRow[], { actor }: CallOptions): Promise<void> {
    for (let from = 0; from < rows.length && !this.stopping; from += importBatchRows) {
      const batch = rows.slice(from, from + importBatchRows);
      const last = from + importBatchRows >= rows.length;
      // A batch that is sent again has the same request id, so it takes effect once.
      await this.sendBatch({ id, rows: batch, last }, { actor, requestId: uuidv5(String(from), id) });
    }
  }

  private async sendBatch(
    input: { id: string; rows: AddressRow[]; last: boolean },
    options: CallOptions,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.rpc.call(subscriberImportContract.importRows, input, options);
        return;
      } catch (error) {
        const isTemporary = error instanceof DomainError && temporaryFailures.has(error.code);
        if (!isTemporary || attempt >= maxAttempts || this.stopping) throw error;
        await pause(retryMs);
      }
    }
  }
}

const temporaryFailures = new Set<string>(['UNAVAILABLE', 'TIMEOUT', 'OVERLOADED']);
