import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, identityContract, type SignedIn } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { AccountService } from './account.service.js';

@Controller()
export class AccountController {
  constructor(private readonly accounts: AccountService) {}

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
}
