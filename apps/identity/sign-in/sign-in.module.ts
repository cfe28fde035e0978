import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { PasskeyModule } from '../passkey/passkey.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionModule } from '../session/session.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { PasswordSignInService } from './password-sign-in.service.js';
import { RegistrationService } from './registration.service.js';
import { SecondFactorSignInService } from './second-factor-sign-in.service.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [
    AccountModule,
    CredentialModule,
    PasskeyModule,
    SecondFactorModule,
    SessionModule,
    VerificationModule,
  ],
  controllers: [RegistrationService, PasswordSignInService, SecondFactorSignInService].map(controllerOf),
  providers: [PasswordSignInService, RegistrationService, SecondFactorSignInService, SignInService],
  exports: [SignInService],
})
export class SignInModule {}
