import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { BriefModule } from '../brief/brief.module.js';
import { DeliverableModule } from '../deliverable/deliverable.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { ProjectViewModule } from '../project-view/project-view.module.js';
import { CustomerProjectRepository } from './customer-project.repository.js';
import { CustomerProjectService } from './customer-project.service.js';

@Module({
  imports: [AccessModule, BriefModule, DeliverableModule, EntryModule, ProjectViewModule],
  controllers: [controllerOf(CustomerProjectService)],
  providers: [CustomerProjectRepository, CustomerProjectService],
})
export class CustomerProjectModule {}
