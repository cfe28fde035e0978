import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { KeyModule } from '../key/key.module.js';
import { AccessTokenService } from './access-token.service.js';
import { AccountDeviceRepository } from './account-device.repository.js';
import { OwnSessionService } from './own-session.service.js';
import { PendingSignInRepository } from './pending-sign-in.repository.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';

@Module({
  imports: [KeyModule],
  controllers: [SessionService, OwnSessionService].map(controllerOf),
  providers: [
    AccessTokenService,
    AccountDeviceRepository,
    OwnSessionService,
    PendingSignInRepository,
    SessionRepository,
    SessionService,
  ],
  exports: [
    AccountDeviceRepository,
    OwnSessionService,
    PendingSignInRepository,
    SessionRepository,
    SessionService,
  ],
})
export class SessionModule {}
