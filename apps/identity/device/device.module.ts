import { Module } from '@nestjs/common';
import { AccountDeviceRepository } from './account-device.repository.js';
import { KnownDeviceService } from './known-device.service.js';

@Module({
  providers: [AccountDeviceRepository, KnownDeviceService],
  exports: [AccountDeviceRepository, KnownDeviceService],
})
export class DeviceModule {}
