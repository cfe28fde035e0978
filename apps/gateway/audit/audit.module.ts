import { Module } from '@nestjs/common';
import { CsvModule } from '../csv/csv.module.js';
import { AuditController } from './audit.controller.js';

@Module({ imports: [CsvModule], controllers: [AuditController] })
export class AuditModule {}
