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
      'Could not remove names that were stored after the deletion of their accounts',
    ),
  ],
})
export class DeletedAccountModule {}
