import { Module } from '@nestjs/common';
import { InvoiceTaskRepository } from './invoice-task.repository.js';

@Module({ providers: [InvoiceTaskRepository], exports: [InvoiceTaskRepository] })
export class InvoiceTaskModule {}
