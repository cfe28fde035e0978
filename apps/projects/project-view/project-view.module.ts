import { Module } from '@nestjs/common';
import { BriefModule } from '../brief/brief.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { StaffModule } from '../staff/staff.module.js';
import { ClientProjectView } from './client-project.view.js';
import { ProjectFieldsService } from './project-fields.service.js';
import { StaffProjectView } from './staff-project.view.js';

@Module({
  imports: [BriefModule, LifecycleModule, StaffModule],
  providers: [ProjectFieldsService, ClientProjectView, StaffProjectView],
  exports: [ClientProjectView, StaffProjectView, StaffModule],
})
export class ProjectViewModule {}
