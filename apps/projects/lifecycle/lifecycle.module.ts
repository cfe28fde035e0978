import { Module } from '@nestjs/common';
import { ProjectModule } from '../project/project.module.js';
import { EntryModule } from '../thread/entry.module.js';
import { LifecycleService } from './lifecycle.service.js';

@Module({
  imports: [EntryModule, ProjectModule],
  providers: [LifecycleService],
  exports: [EntryModule, LifecycleService, ProjectModule],
})
export class LifecycleModule {}
