import { Module } from '@nestjs/common';
import { INVOICE_STORAGE, invoiceStorage } from '#libs/file-storage';
import { ORDERS_CONFIG } from '../config.module.js';
import { InvoiceFileRepository } from './invoice-file.repository.js';
import { InvoiceFileWorker } from './invoice-file.worker.js';
import { RENDERING_OPTIONS, type RenderingOptions, RenderingThread } from './rendering-thread.js';

@Module({
  providers: [
    { provide: INVOICE_STORAGE, inject: [ORDERS_CONFIG], useFactory: invoiceStorage },
    {
      provide: RenderingThread,
      inject: [RENDERING_OPTIONS],
      useFactory: (options: RenderingOptions) => new RenderingThread(options),
    },
    ...[InvoiceFileRepository, InvoiceFileWorker],
  ],
  exports: [INVOICE_STORAGE, InvoiceFileRepository, RenderingThread],
})
export class InvoiceFileModule {}
