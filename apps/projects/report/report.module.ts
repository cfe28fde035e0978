import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { ReportLinkRepository } from './report-link.repository.js';
import { ReportRepository } from './report.repository.js';
import { ReportService } from './report.service.js';

@Module({
  imports: [AccessModule],
  controllers: [controllerOf(ReportService)],
  providers: [ReportLinkRepository, ReportRepository, ReportService],
  exports: [ReportLinkRepository],
})
export class ReportModule {}
