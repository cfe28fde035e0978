import { Injectable } from '@nestjs/common';
import { type HandlerInputs, identityContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { AccountRepository } from './account.repository.js';

type Input = HandlerInputs<typeof identityContract>;

@Injectable()
export class AccountLookupService {
  constructor(private readonly accounts: AccountRepository) {}

  @Handles(identityContract.confirmedEmail)
  async findVerifiedEmail({ accountId }: Input['confirmedEmail']) {
    return { email: await this.accounts.findVerifiedEmail(accountId) };
  }

  @Handles(identityContract.adminEmails)
  listAdminEmails({ notification }: Input['adminEmails']) {
    return this.accounts.listAdminEmails(notification);
  }

  @Handles(identityContract.adminAccounts)
  listAdmins() {
    return this.accounts.listAdmins();
  }
}
