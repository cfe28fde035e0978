import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { AdminUserModule } from '../admin-user/admin-user.module.js';
import { ReclaimModule } from '../reclaim/reclaim.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionModule } from '../session/session.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { GoogleAccountService } from './google-account.service.js';
import { GoogleClient } from './google-client.js';
import { GoogleFlowRepository } from './google-flow.repository.js';
import { GoogleSignInService } from './google-sign-in.service.js';

@Module({
  imports: [
    AccountModule,
    AdminUserModule,
    ReclaimModule,
    SecondFactorModule,
    SessionModule,
    SignInModule,
    VerificationModule,
  ],
  controllers: [controllerOf(GoogleSignInService)],
  providers: [GoogleAccountService, GoogleClient, GoogleFlowRepository, GoogleSignInService],
})
export class GoogleModule {}
