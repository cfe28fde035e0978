import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { DemoDataService } from './demo-data.service.js';

@Module({
  imports: [AccountModule],
  controllers: [controllerOf(DemoDataService)],
  providers: [DemoDataService],
})
export class DemoDataModule {}
