import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { AdminUserModule } from '../admin-user/admin-user.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { ReclaimModule } from '../reclaim/reclaim.module.js';
import { AdminInvitationRepository } from './admin-invitation.repository.js';
import { AdminInvitationService } from './admin-invitation.service.js';

@Module({
  imports: [AccountModule, AdminUserModule, CredentialModule, ReclaimModule],
  controllers: [controllerOf(AdminInvitationService)],
  providers: [AdminInvitationRepository, AdminInvitationService],
})
export class AdminInvitationModule {}
