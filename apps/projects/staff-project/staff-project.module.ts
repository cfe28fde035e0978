import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { DeliverableModule } from '../deliverable/deliverable.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { ProjectViewModule } from '../project-view/project-view.module.js';
import { ProjectWorkService } from './project-work.service.js';
import { StaffProjectRepository } from './staff-project.repository.js';
import { StaffProjectService } from './staff-project.service.js';

@Module({
  imports: [AccessModule, DeliverableModule, LifecycleModule, ProjectViewModule],
  controllers: [StaffProjectService, ProjectWorkService].map(controllerOf),
  providers: [StaffProjectRepository, StaffProjectService, ProjectWorkService],
})
export class StaffProjectModule {}
