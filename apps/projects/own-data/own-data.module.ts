import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { OwnDataRepository } from './own-data.repository.js';
import { OwnDataService } from './own-data.service.js';

@Module({
  imports: [AccessModule],
  controllers: [controllerOf(OwnDataService)],
  providers: [OwnDataRepository, OwnDataService],
})
export class OwnDataModule {}
