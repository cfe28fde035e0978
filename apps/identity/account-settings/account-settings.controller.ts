import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  accountContract,
  type HandlerInput,
  identityContract,
  type Output,
  type SignedIn,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { AccountSettingsService } from './account-settings.service.js';
import { AccountDataService } from './account-data.service.js';
import { AccountService } from '../sign-in/password-sign-in.service.js';

@Controller()
export class AccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly changes: AccountSettingsService,
    private readonly reader: AccountDataService,
  ) {}

  @Handles(identityContract.register)
  register(
    @Payload() { credentials, client }: HandlerInput<typeof identityContract.register>,
    @Ctx() { requestId }: RequestContext,
  ): Promise<SignedIn> {
    return this.accounts.register(credentials, client, requestId);
  }

  @Handles(identityContract.login)
  login(
    @Payload() { credentials, client }: HandlerInput<typeof identityContract.login>,
    @Ctx() { requestId }: RequestContext,
  ): Promise<SignedIn> {
    return this.accounts.login(credentials, client, requestId);
  }

  @Handles(accountContract.changePassword)
  changePassword(
    @Payload() input: HandlerInput<typeof accountContract.changePassword>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof accountContract.changePassword>> {
    return this.changes.changePassword(input, context);
  }

  @Handles(accountContract.changeEmail)
  changeEmail(
    @Payload() input: HandlerInput<typeof accountContract.changeEmail>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof accountContract.changeEmail>> {
    return this.changes.changeEmail(input, context);
  }

  @Handles(accountContract.deleteAccount)
  delete(
    @Payload() input: HandlerInput<typeof accountContract.deleteAccount>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof accountContract.deleteAccount>> {
    return this.changes.delete(input, context);
  }

  @Handles(accountContract.signInMethods)
  signInMethods(@Ctx() { actor }: RequestContext): Promise<Output<typeof accountContract.signInMethods>> {
    return this.reader.signInMethods(actor);
  }

  @Handles(identityContract.confirmedEmail)
  async confirmedEmail(
    @Payload() { accountId }: HandlerInput<typeof identityContract.confirmedEmail>,
  ): Promise<Output<typeof identityContract.confirmedEmail>> {
    return { email: await this.reader.confirmedEmail(accountId) };
  }

  @Handles(identityContract.adminEmails)
  adminEmails(): Promise<string[]> {
    return this.reader.adminEmails();
  }

  @Handles(accountContract.accountData)
  data(@Ctx() { actor }: RequestContext): Promise<Output<typeof accountContract.accountData>> {
    return this.reader.data(actor);
  }
}
