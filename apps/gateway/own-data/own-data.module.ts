import { Module } from '@nestjs/common';
import { OwnDataController } from './own-data.controller.js';

@Module({ controllers: [OwnDataController] })
export class OwnDataModule {}
