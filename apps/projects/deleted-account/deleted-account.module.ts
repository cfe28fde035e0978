import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { TeamModule } from '../team/team.module.js';
import { DeletedAccountRepository } from './deleted-account.repository.js';
import { DeletedAccountService } from './deleted-account.service.js';

@Module({
  imports: [TeamModule],
  controllers: [controllerOf(DeletedAccountService)],
  providers: [
    DeletedAccountRepository,
    DeletedAccountService,
    repeatedWork(
      DeletedAccountService,
      60_000,
      (accounts) => accounts.sweep(),
      'Could not remove the names of deleted accounts that were stored again',
    ),
  ],
})
export class DeletedAccountModule {}
