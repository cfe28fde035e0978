import { Injectable } from '@nestjs/common';
import { type HandlerInputs, identityContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { AccountRepository } from './account.repository.js';

type Input = HandlerInputs<typeof identityContract>;

/** The calls with which other services look up the addresses of accounts. */
@Injectable()
export class AccountAddressService {
  constructor(private readonly accounts: AccountRepository) {}

  @Handles(identityContract.confirmedEmail)
  async confirmedEmail({ accountId }: Input['confirmedEmail']) {
    return { email: await this.accounts.findVerifiedEmail(accountId) };
  }

  @Handles(identityContract.adminEmails)
  adminEmails({ notification }: Input['adminEmails']) {
    return this.accounts.findAdminEmails(notification);
  }

  @Handles(identityContract.adminAccounts)
  adminAccounts() {
    return this.accounts.findAdmins();
  }
}
