import { Module } from '@nestjs/common';
import { DeviceModule } from '../device/device.module.js';
import { KeyModule } from '../key/key.module.js';
import { AccessTokenService } from './access-token.service.js';
import { OwnSessionService } from './own-session.service.js';
import { PendingSignInRepository } from './pending-sign-in.repository.js';
import { SessionController } from './session.controller.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';

@Module({
  imports: [DeviceModule, KeyModule],
  controllers: [SessionController],
  providers: [
    AccessTokenService,
    OwnSessionService,
    PendingSignInRepository,
    SessionRepository,
    SessionService,
  ],
  exports: [OwnSessionService, PendingSignInRepository, SessionRepository, SessionService],
})
export class SessionModule {}
