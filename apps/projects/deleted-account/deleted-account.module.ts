import { Module } from '@nestjs/common';
import { repeated } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { TeamModule } from '../team/team.module.js';
import { PersonModule } from '../person/person.module.js';
import { DeletedAccountRepository } from './deleted-account.repository.js';
import { DeletedAccountService } from './deleted-account.service.js';

@Module({
  imports: [PersonModule, TeamModule],
  controllers: [controllerOf(DeletedAccountService)],
  providers: [
    DeletedAccountRepository,
    DeletedAccountService,
    repeated(
      DeletedAccountService,
      60_000,
      (accounts) => accounts.sweep(),
      'Removing names that came after an account was deleted failed',
    ),
  ],
})
export class DeletedAccountModule {}
