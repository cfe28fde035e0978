import { Module } from '@nestjs/common';
import { DemoDataController } from './demo-data.controller.js';

@Module({ controllers: [DemoDataController] })
export class DemoDataModule {}
