import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { FileModule } from '../file/file.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { ProjectViewModule } from '../project-view/project-view.module.js';
import { DeliverableRepository } from './deliverable.repository.js';
import { DeliverableService } from './deliverable.service.js';

@Module({
  imports: [AccessModule, FileModule, LifecycleModule, ProjectViewModule],
  controllers: [controllerOf(DeliverableService)],
  providers: [DeliverableRepository, DeliverableService],
  exports: [DeliverableRepository],
})
export class DeliverableModule {}
