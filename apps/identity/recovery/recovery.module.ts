import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { AdminUserModule } from '../admin-user/admin-user.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { LinkModule } from '../link/link.module.js';
import { ReclaimModule } from '../reclaim/reclaim.module.js';
import { SessionModule } from '../session/session.module.js';
import { PasswordRecoveryService } from './password-recovery.service.js';
import { RecoveryRequestRepository } from './recovery-request.repository.js';
import { RecoveryWorker } from './recovery.worker.js';

@Module({
  imports: [AccountModule, AdminUserModule, CredentialModule, LinkModule, ReclaimModule, SessionModule],
  controllers: [RecoveryWorker, PasswordRecoveryService].map(controllerOf),
  providers: [PasswordRecoveryService, RecoveryRequestRepository, RecoveryWorker],
})
export class RecoveryModule {}
