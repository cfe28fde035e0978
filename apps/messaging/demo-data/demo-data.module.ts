import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { DemoDataService } from './demo-data.service.js';
import { DemoRecordRepository } from './demo-record.repository.js';

@Module({ controllers: [controllerOf(DemoDataService)], providers: [DemoDataService, DemoRecordRepository] })
export class DemoDataModule {}
