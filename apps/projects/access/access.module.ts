import { Module } from '@nestjs/common';
import { PersonModule } from '../person/person.module.js';
import { ProjectModule } from '../project/project.module.js';
import { TeamMemberModule } from '../team-member/team-member.module.js';
import { AuthorService } from './author.service.js';
import { ProjectAccess } from './project-access.js';

@Module({
  imports: [PersonModule, ProjectModule, TeamMemberModule],
  providers: [AuthorService, ProjectAccess],
  exports: [AuthorService, ProjectAccess, ProjectModule, TeamMemberModule],
})
export class AccessModule {}
