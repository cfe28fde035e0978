import { Module } from '@nestjs/common';
import { PasskeyChallengeRepository } from './passkey-challenge.repository.js';
import { PasskeyRepository } from './passkey.repository.js';
import { PasskeyService } from './passkey.service.js';

@Module({
  providers: [PasskeyChallengeRepository, PasskeyRepository, PasskeyService],
  exports: [PasskeyService],
})
export class PasskeyModule {}
