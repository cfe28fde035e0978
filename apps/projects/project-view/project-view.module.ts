import { Module } from '@nestjs/common';
import { BriefModule } from '../brief/brief.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { StaffModule } from '../staff/staff.module.js';
import { CustomerProjectView } from './customer-project.view.js';
import { ProjectFieldsService } from './project-fields.service.js';
import { StaffProjectView } from './staff-project.view.js';

@Module({
  imports: [BriefModule, LifecycleModule, StaffModule],
  providers: [ProjectFieldsService, CustomerProjectView, StaffProjectView],
  exports: [CustomerProjectView, StaffProjectView, StaffModule],
})
export class ProjectViewModule {}
