import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { PasskeyModule } from '../passkey/passkey.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionModule } from '../session/session.module.js';
import { ConfirmationService } from './confirmation.service.js';
import { OwnershipService } from './ownership.service.js';

@Module({
  imports: [AccountModule, CredentialModule, PasskeyModule, SecondFactorModule, SessionModule],
  controllers: [controllerOf(ConfirmationService)],
  providers: [ConfirmationService, OwnershipService],
  exports: [OwnershipService],
})
export class ReauthenticationModule {}
