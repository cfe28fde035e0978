import { Module } from '@nestjs/common';
import { accountOperations, secondFactorOperations } from '#libs/contracts';
import { AnswersModule } from '../answers/answers.module.js';
import { relayControllerOf } from '../routing/serves.js';
import { AccessTokenStrategy } from './access-token.strategy.js';
import { AccessTokenVerifier } from './access-token-verifier.js';
import { AccountController } from './account.controller.js';
import { SessionCookies } from './session-cookies.js';
import { DeviceCookie } from './device-cookie.js';
import { GoogleController } from './google.controller.js';
import { LiveSessions } from './live-sessions.js';
import { SessionController } from './session.controller.js';
import { SignInCookies } from './sign-in-cookies.js';
import { SignInStepsController } from './sign-in-steps.controller.js';
import { SigningKeys } from './signing-keys.js';

@Module({
  imports: [AnswersModule],
  controllers: [
    ...[relayControllerOf(accountOperations), relayControllerOf(secondFactorOperations)],
    ...[SessionController, AccountController, GoogleController, SignInStepsController],
  ],
  providers: [
    ...[AccessTokenVerifier, AccessTokenStrategy, SigningKeys, LiveSessions],
    ...[SessionCookies, SignInCookies, DeviceCookie],
  ],
  exports: [AccessTokenVerifier, SessionCookies, LiveSessions],
})
export class AuthModule {}
