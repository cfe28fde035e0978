import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { AdminUserModule } from '../admin-user/admin-user.module.js';
import { LinkModule } from '../link/link.module.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [AccountModule, AdminUserModule, LinkModule],
  controllers: [controllerOf(VerificationService)],
  providers: [VerificationService],
  exports: [VerificationService],
})
export class VerificationModule {}
