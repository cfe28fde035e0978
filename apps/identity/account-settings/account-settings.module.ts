import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { AdminUserModule } from '../admin-user/admin-user.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { LinkModule } from '../link/link.module.js';
import { ReauthenticationModule } from '../reauthentication/reauthentication.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionModule } from '../session/session.module.js';
import { AccountDataService } from './account-data.service.js';
import { AccountSettingsService } from './account-settings.service.js';

@Module({
  imports: [
    AccountModule,
    AdminUserModule,
    CredentialModule,
    LinkModule,
    ReauthenticationModule,
    SecondFactorModule,
    SessionModule,
  ],
  controllers: [AccountSettingsService, AccountDataService].map(controllerOf),
  providers: [AccountDataService, AccountSettingsService],
})
export class AccountSettingsModule {}
