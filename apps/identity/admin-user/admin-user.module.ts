import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { ReclaimModule } from '../reclaim/reclaim.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { AdminRequirementRepository } from './admin-requirement.repository.js';
import { AdminRequirementService } from './admin-requirement.service.js';
import { AdminUserRepository } from './admin-user.repository.js';
import { AdminUserService } from './admin-user.service.js';
import { FirstAdminService } from './first-admin.service.js';

@Module({
  imports: [AccountModule, CredentialModule, ReclaimModule, SecondFactorModule],
  controllers: [AdminUserService, AdminRequirementService].map(controllerOf),
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
