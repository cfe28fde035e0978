import { Module } from '@nestjs/common';
import { IMAGE_STORAGE, createImageStorage, INVOICE_STORAGE, createInvoiceStorage } from '#libs/file-storage';
import { ORDERS_CONFIG } from '../config.module.js';
import { InvoiceFileRepository } from './invoice-file.repository.js';
import { InvoiceFileWorker } from './invoice-file.worker.js';
import { InvoiceRenderingService } from './invoice-rendering.service.js';
import { RENDERING_OPTIONS, type RenderingOptions, RenderingThread } from './rendering-thread.js';

@Module({
  providers: [
    { provide: IMAGE_STORAGE, inject: [ORDERS_CONFIG], useFactory: createImageStorage },
    { provide: INVOICE_STORAGE, inject: [ORDERS_CONFIG], useFactory: createInvoiceStorage },
    {
      provide: RenderingThread,
      inject: [RENDERING_OPTIONS],
      useFactory: (options: RenderingOptions) => new RenderingThread(options),
    },
    ...[InvoiceFileRepository, InvoiceFileWorker, InvoiceRenderingService],
  ],
  exports: [INVOICE_STORAGE, InvoiceFileRepository, InvoiceRenderingService],
})
export class InvoiceFileModule {}
