import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { FileModule } from '../file/file.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { TemplateModule } from '../template/template.module.js';
import { BriefRepository } from './brief.repository.js';
import { BriefService } from './brief.service.js';

@Module({
  imports: [AccessModule, FileModule, LifecycleModule, TemplateModule],
  controllers: [controllerOf(BriefService)],
  providers: [BriefRepository, BriefService],
  exports: [BriefRepository],
})
export class BriefModule {}
