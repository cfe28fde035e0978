import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { PasskeyModule } from '../passkey/passkey.module.js';
import { CodeAttemptRepository } from './code-attempt.repository.js';
import { RecoveryCodeRepository } from './recovery-code.repository.js';
import { RecoveryCodeService } from './recovery-code.service.js';
import { SecondFactorSetupService } from './second-factor-setup.service.js';
import { SecondFactorRepository } from './second-factor.repository.js';
import { SecondFactorService } from './second-factor.service.js';
import { TotpFactorRepository } from './totp-factor.repository.js';

@Module({
  imports: [AccountModule, CredentialModule, PasskeyModule],
  controllers: [controllerOf(SecondFactorSetupService)],
  providers: [
    CodeAttemptRepository,
    RecoveryCodeRepository,
    RecoveryCodeService,
    SecondFactorRepository,
    SecondFactorService,
    SecondFactorSetupService,
    TotpFactorRepository,
  ],
  exports: [SecondFactorRepository, SecondFactorService],
})
export class SecondFactorModule {}
