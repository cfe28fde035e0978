import { Module } from '@nestjs/common';
import { AccountModule } from '../account/account.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { ReclaimModule } from '../reclaim/reclaim.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { AdminRequirementRepository } from './admin-requirement.repository.js';
import { AdminRequirementService } from './admin-requirement.service.js';
import { AdminUserController } from './admin-user.controller.js';
import { AdminUserRepository } from './admin-user.repository.js';
import { AdminUserService } from './admin-user.service.js';
import { FirstAdminService } from './first-admin.service.js';

@Module({
  imports: [AccountModule, CredentialModule, ReclaimModule, SecondFactorModule],
  controllers: [AdminUserController],
  providers: [
    AdminRequirementRepository,
    AdminRequirementService,
    AdminUserRepository,
    AdminUserService,
    FirstAdminService,
  ],
  exports: [AdminUserService],
})
export class AdminUserModule {}
