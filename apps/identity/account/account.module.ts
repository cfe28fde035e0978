import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountLookupService } from './account-lookup.service.js';
import { AccountRepository } from './account.repository.js';
import { LinkedIdentityRepository } from './linked-identity.repository.js';

@Module({
  controllers: [controllerOf(AccountLookupService)],
  providers: [AccountLookupService, AccountRepository, LinkedIdentityRepository],
  exports: [AccountRepository, LinkedIdentityRepository],
})
export class AccountModule {}
