import { Module } from '@nestjs/common';
import { adminInvitationOperations, adminUserOperations } from '#libs/contracts';
import { relayControllerOf } from '../routing/serves.js';

@Module({ controllers: [adminInvitationOperations, adminUserOperations].map(relayControllerOf) })
export class AdminUserModule {}
