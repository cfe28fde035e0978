import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isConnectionError, LeasedWork } from '#libs/database';
import { type FileStorage, INVOICE_STORAGE, invoiceFileName } from '#libs/file-storage';
import { LOGGER, type Logger } from '#libs/platform';
import { InvoiceFileRepository, type LeasedFile } from './invoice-file.repository.js';
import { InvoiceRenderingService } from './invoice-rendering.service.js';
import { RenderingThread } from './rendering-thread.js';

/** Only one document is rendered at a time. Meanwhile, others are read or stored. */
const concurrency = 4;
const pollMs = 1_000;
const leaseMs = 5_000;
const retryPauses = { firstRetryMs: 1_000, longestRetryMs: 600_000 };

/** If a document cannot be rendered or stored, the worker tries again until it succeeds. */
@Injectable()
export class InvoiceFileWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly work: LeasedWork<LeasedFile>;

  constructor(
    private readonly files: InvoiceFileRepository,
    private readonly rendering: InvoiceRenderingService,
    private readonly thread: RenderingThread,
    @Inject(INVOICE_STORAGE) private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.work = new LeasedWork({
      lease: (count) => this.files.lease(count, leaseMs),
      renew: (leased) => this.files.renew(leased, leaseMs),
      capacity: () => concurrency,
      work: (leased) => this.render(leased),
      retry: {
        ...retryPauses,
        message: 'A document could not be rendered or stored; will retry',
        triesOf: ({ tries }) => tries,
        postpone: (leased, pauseMs) => this.files.postpone(leased, pauseMs),
      },
      onError: (error, message, leased) => this.report(error, message, leased),
      ...{ pollMs, leaseMs },
    });
  }

  onApplicationBootstrap(): void {
    this.work.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.work.stop();
    this.thread.stop();
  }

  /** The file exists already if a process stored it, but ended before `finish`. */
  private async render(leased: LeasedFile): Promise<void> {
    const { invoiceId } = leased;
    if (!(await this.storage.findBytes(invoiceId, invoiceFileName))) {
      const body = await this.rendering.render(await this.files.getDocument(invoiceId));
      await this.storage.put(invoiceId, [{ name: invoiceFileName, body }]);
    }
    await this.files.finish(leased);
  }

  /** An unreachable Postgres is reported by the readiness check instead. */
  private report(error: unknown, message: string, leased?: LeasedFile): void {
    if (!isConnectionError(error)) this.logger.error({ err: error, invoiceId: leased?.invoiceId }, message);
  }
}
