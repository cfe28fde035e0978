import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountContract, type HandlerInput, type Output } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { AccountDataService } from './account-data.service.js';
import { AccountSettingsService } from './account-settings.service.js';

@Controller()
export class AccountSettingsController {
  constructor(
    private readonly settings: AccountSettingsService,
    private readonly accountData: AccountDataService,
  ) {}

  @Handles(accountContract.changePassword)
  changePassword(
    @Payload() input: HandlerInput<typeof accountContract.changePassword>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof accountContract.changePassword>> {
    return this.settings.changePassword(input, context);
  }

  @Handles(accountContract.changeEmail)
  changeEmail(
    @Payload() input: HandlerInput<typeof accountContract.changeEmail>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof accountContract.changeEmail>> {
    return this.settings.changeEmail(input, context);
  }

  @Handles(accountContract.deleteAccount)
  delete(
    @Payload() input: HandlerInput<typeof accountContract.deleteAccount>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof accountContract.deleteAccount>> {
    return this.settings.delete(input, context);
  }

  @Handles(accountContract.signInMethods)
  signInMethods(@Ctx() { actor }: RequestContext): Promise<Output<typeof accountContract.signInMethods>> {
    return this.accountData.signInMethods(actor);
  }

  @Handles(accountContract.accountData)
  data(@Ctx() { actor }: RequestContext): Promise<Output<typeof accountContract.accountData>> {
    return this.accountData.data(actor);
  }
}
