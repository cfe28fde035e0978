import { Module } from '@nestjs/common';
import { ProjectAssigneeRepository } from './project-assignee.repository.js';
import { ProjectOrderRepository } from './project-order.repository.js';
import { ProjectRepository } from './project.repository.js';

const repositories = [ProjectRepository, ProjectOrderRepository, ProjectAssigneeRepository];

@Module({ providers: repositories, exports: repositories })
export class ProjectModule {}
