import { Controller } from '@nestjs/common';
import { type HandlerInput, identityContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { AccountRepository } from './account.repository.js';

/** What other services ask about accounts. */
@Controller()
export class AccountController {
  constructor(private readonly accounts: AccountRepository) {}

  @Handles(identityContract.confirmedEmail)
  async confirmedEmail({ accountId }: HandlerInput<typeof identityContract.confirmedEmail>) {
    return { email: await this.accounts.findVerifiedEmail(accountId) };
  }

  @Handles(identityContract.adminEmails)
  adminEmails() {
    return this.accounts.findAdminEmails();
  }
}
