import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { EntryModule } from '../entry/entry.module.js';
import { SiteVersionModule } from '../site-version/site-version.module.js';
import { DemoEntryRepository } from './demo-entry.repository.js';
import { PostponedStepRepository } from './postponed-step.repository.js';
import { SetupService } from './setup.service.js';

@Module({
  imports: [EntryModule, SiteVersionModule],
  controllers: [controllerOf(SetupService)],
  providers: [DemoEntryRepository, PostponedStepRepository, SetupService],
})
export class SetupModule {}
