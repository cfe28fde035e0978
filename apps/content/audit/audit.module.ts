import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';

/** The audit log of this service's records. */
@Module({ controllers: [AuditController] })
export class AuditModule {}
