import { Module } from '@nestjs/common';
import { EntryModule } from '../entry/entry.module.js';
import { ProjectModule } from '../project/project.module.js';
import { LifecycleService } from './lifecycle.service.js';

@Module({
  imports: [EntryModule, ProjectModule],
  providers: [LifecycleService],
  exports: [EntryModule, LifecycleService, ProjectModule],
})
export class LifecycleModule {}
