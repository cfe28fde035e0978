import { Module } from '@nestjs/common';
import { AccountController } from './account.controller.js';
import { AccountRepository } from './account.repository.js';
import { LinkedIdentityRepository } from './linked-identity.repository.js';

@Module({
  controllers: [AccountController],
  providers: [AccountRepository, LinkedIdentityRepository],
  exports: [AccountRepository, LinkedIdentityRepository],
})
export class AccountModule {}
