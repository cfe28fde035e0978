import { Module } from '@nestjs/common';
import { hashingOptions, IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { CredentialRepository } from './credential.repository.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordPolicy } from './password-policy.js';
import { PasswordService } from './password.service.js';
import { SignInAttemptRepository } from './sign-in-attempt.repository.js';
import { SiteNameService } from './site-name.service.js';

@Module({
  providers: [
    CredentialRepository,
    SignInAttemptRepository,
    PasswordService,
    SiteNameService,
    {
      provide: PasswordHasher,
      useFactory: (config: IdentityConfig) => new PasswordHasher(hashingOptions(config)),
      inject: [IDENTITY_CONFIG],
    },
    {
      provide: PasswordPolicy,
      useFactory: (config: IdentityConfig, siteNames: SiteNameService) =>
        new PasswordPolicy(config.PASSWORD_MIN_LENGTH, () => siteNames.current()),
      inject: [IDENTITY_CONFIG, SiteNameService],
    },
  ],
  exports: [
    CredentialRepository,
    SignInAttemptRepository,
    PasswordService,
    PasswordHasher,
    PasswordPolicy,
    SiteNameService,
  ],
})
export class CredentialModule {}
