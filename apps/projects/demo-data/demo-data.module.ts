import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { DemoDataService } from './demo-data.service.js';
import { DemoProjectRepository } from './demo-project.repository.js';

@Module({
  controllers: [controllerOf(DemoDataService)],
  providers: [DemoDataService, DemoProjectRepository],
})
export class DemoDataModule {}
