import { Module } from '@nestjs/common';
import { setupOperations } from '#libs/contracts';
import { relays } from '../routing/serves.js';
import { SetupController } from './setup.controller.js';

@Module({ controllers: [relays(setupOperations), SetupController] })
export class SetupModule {}
