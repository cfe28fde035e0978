import { Module } from '@nestjs/common';
import { adminUserOperations } from '#libs/contracts';
import { relays } from '../routing/serves.js';

@Module({ controllers: [relays(adminUserOperations)] })
export class AdminUserModule {}
