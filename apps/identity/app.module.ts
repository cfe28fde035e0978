import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database';
import { AccountController } from './account/account.controller.js';
import { AccountService } from './account/account.service.js';
import { AdminUserController } from './admin-user/admin-user.controller.js';
import { AdminUserService } from './admin-user/admin-user.service.js';
import { FirstAdmin, FirstAdminConfig } from './admin-user/first-admin.js';
import { Announcer } from './announcer.js';
import { Clock, SystemClock } from './clock.js';
import { hashingOptions, type IdentityConfig } from './config.js';
import { CredentialService } from './credential/credential.service.js';
import { PasswordHasher } from './credential/password-hasher.js';
import { PasswordPolicy } from './credential/password-policy.js';
import { SignInThrottle } from './credential/sign-in-throttle.js';
import { identityDatabase } from './database.js';
import { KeyController } from './key/key.controller.js';
import { PrivateKeySealer } from './key/private-key-sealer.js';
import { SigningKeyService } from './key/signing-key.service.js';
import { AccessTokenService } from './session/access-token.service.js';
import { SessionSweeper } from './session/session-sweeper.js';
import { SessionController } from './session/session.controller.js';
import { REFRESH_GRACE_SECONDS, SessionService } from './session/session.service.js';

@Module({})
export class AppModule {
  /** `clock` is the system's, except in tests that move it. */
  static forRoot(config: IdentityConfig, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          ...identityDatabase(config.DATABASE_URL, config.DATABASE_POOL_SIZE),
          schema: config.DATABASE_MIGRATIONS,
        }),
      ],
      controllers: [AccountController, SessionController, KeyController, AdminUserController],
      providers: [
        { provide: Clock, useValue: clock },
        { provide: PasswordHasher, useValue: new PasswordHasher(hashingOptions(config)) },
        { provide: REFRESH_GRACE_SECONDS, useValue: config.REFRESH_GRACE_SECONDS },
        { provide: PasswordPolicy, useValue: new PasswordPolicy(config.PASSWORD_MIN_LENGTH) },
        {
          provide: FirstAdminConfig,
          useValue: new FirstAdminConfig(config.ADMIN_EMAIL, config.ADMIN_PASSWORD),
        },
        { provide: PrivateKeySealer, useValue: new PrivateKeySealer(config.KEY_ENCRYPTION_SECRET) },
        {
          provide: AccessTokenService,
          useFactory: (keys: SigningKeyService) => new AccessTokenService(keys, clock, config.PUBLIC_URL),
          inject: [SigningKeyService],
        },
        Announcer,
        AccountService,
        AdminUserService,
        CredentialService,
        FirstAdmin,
        SessionService,
        SessionSweeper,
        SignInThrottle,
        SigningKeyService,
      ],
    };
  }
}
