import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountAddressService } from './account-address.service.js';
import { AccountRepository } from './account.repository.js';
import { LinkedIdentityRepository } from './linked-identity.repository.js';

@Module({
  controllers: [controllerOf(AccountAddressService)],
  providers: [AccountAddressService, AccountRepository, LinkedIdentityRepository],
  exports: [AccountRepository, LinkedIdentityRepository],
})
export class AccountModule {}
