import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { SiteModule } from '../site/site.module.js';
import { ProjectSettingsRepository } from './project-settings.repository.js';
import { ProjectTemplateRepository } from './project-template.repository.js';
import { ProjectTemplateService } from './project-template.service.js';

@Module({
  imports: [SiteModule],
  controllers: [controllerOf(ProjectTemplateService)],
  providers: [ProjectSettingsRepository, ProjectTemplateRepository, ProjectTemplateService],
  exports: [ProjectSettingsRepository, ProjectTemplateRepository, SiteModule],
})
export class TemplateModule {}
