import { type DynamicModule, Module } from '@nestjs/common';
import { auditController, DatabaseModule } from '#libs/database';
import { RpcModule } from '#libs/platform';
import { Clock, SystemClock } from '#libs/runtime';
import { AccountModule } from './account/account.module.js';
import { AccountSettingsModule } from './account-settings/account-settings.module.js';
import { AdminInvitationModule } from './admin-invitation/admin-invitation.module.js';
import { AdminUserModule } from './admin-user/admin-user.module.js';
import type { IdentityConfig } from './config.js';
import { CoreModule } from './core/core.module.js';
import { identityDatabase } from './database.js';
import { DemoDataModule } from './demo-data/demo-data.module.js';
import { GoogleModule } from './google/google.module.js';
import { KeyModule } from './key/key.module.js';
import { NotificationSettingsModule } from './notification-settings/notification-settings.module.js';
import { ReauthenticationModule } from './reauthentication/reauthentication.module.js';
import { RecoveryModule } from './recovery/recovery.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SecondFactorModule } from './second-factor/second-factor.module.js';
import { SessionModule } from './session/session.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { VerificationModule } from './verification/verification.module.js';

@Module({})
export class AppModule {
  static forRoot(config: IdentityConfig, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          ...identityDatabase(config.DATABASE_URL, config.DATABASE_POOL_SIZE),
          migrationsAtStart: config.DATABASE_MIGRATIONS,
        }),
        RpcModule.forRoot({ caller: 'identity', redisUrl: config.REDIS_URL }),
        CoreModule.forRoot(config, clock),
        AccountModule,
        AccountSettingsModule,
        AdminInvitationModule,
        AdminUserModule,
        DemoDataModule,
        GoogleModule,
        KeyModule,
        NotificationSettingsModule,
        ReauthenticationModule,
        RecoveryModule,
        RetentionModule,
        SecondFactorModule,
        SessionModule,
        SignInModule,
        VerificationModule,
      ],
      controllers: [auditController('identity')],
    };
  }
}
