import { Module } from '@nestjs/common';
import { AccountModule } from '../account/account.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { LinkModule } from '../link/link.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionModule } from '../session/session.module.js';
import { AccountReclaimService } from './account-reclaim.service.js';

@Module({
  imports: [AccountModule, CredentialModule, LinkModule, SecondFactorModule, SessionModule],
  providers: [AccountReclaimService],
  exports: [AccountReclaimService],
})
export class ReclaimModule {}
