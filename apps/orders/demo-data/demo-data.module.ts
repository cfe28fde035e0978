import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { DemoDataService } from './demo-data.service.js';
import { DemoOrderRepository } from './demo-order.repository.js';

@Module({ controllers: [controllerOf(DemoDataService)], providers: [DemoDataService, DemoOrderRepository] })
export class DemoDataModule {}
