import { Module } from '@nestjs/common';
import { AccountDeviceRepository } from './account-device.repository.js';

@Module({ providers: [AccountDeviceRepository], exports: [AccountDeviceRepository] })
export class DeviceModule {}
