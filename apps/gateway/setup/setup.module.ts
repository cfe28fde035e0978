import { Module } from '@nestjs/common';
import { setupOperations } from '#libs/contracts';
import { relayControllerOf } from '../routing/serves.js';
import { SetupController } from './setup.controller.js';

@Module({ controllers: [relayControllerOf(setupOperations), SetupController] })
export class SetupModule {}
