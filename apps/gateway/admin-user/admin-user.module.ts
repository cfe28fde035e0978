import { Module } from '@nestjs/common';
import { adminInvitationOperations, adminUserOperations } from '#libs/contracts';
import { relays } from '../routing/serves.js';

@Module({ controllers: [adminInvitationOperations, adminUserOperations].map(relays) })
export class AdminUserModule {}
