import { Module } from '@nestjs/common';
import { AccountModule } from '../account/account.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { DeviceModule } from '../device/device.module.js';
import { LinkModule } from '../link/link.module.js';
import { LinkedIdentityModule } from '../linked-identity/linked-identity.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionModule } from '../session/session.module.js';
import { AccountReclaimService } from './account-reclaim.service.js';

@Module({
  imports: [
    AccountModule,
    CredentialModule,
    DeviceModule,
    LinkModule,
    LinkedIdentityModule,
    SecondFactorModule,
    SessionModule,
  ],
  providers: [AccountReclaimService],
  exports: [AccountReclaimService],
})
export class ReclaimModule {}
