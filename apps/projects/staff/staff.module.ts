import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { PersonModule } from '../person/person.module.js';
import { StaffClient } from './staff.client.js';
import { StaffService } from './staff.service.js';

@Module({
  imports: [PersonModule],
  controllers: [controllerOf(StaffService)],
  providers: [StaffClient, StaffService],
  exports: [StaffService],
})
export class StaffModule {}
