import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountContract as contract, type HandlerInputs } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { AccountDataService } from './account-data.service.js';
import { AccountSettingsService } from './account-settings.service.js';

type Input = HandlerInputs<typeof contract>;

@Controller()
export class AccountSettingsController {
  constructor(
    private readonly settings: AccountSettingsService,
    private readonly accountData: AccountDataService,
  ) {}

  @Handles(contract.changePassword)
  changePassword(@Payload() input: Input['changePassword'], @Ctx() context: RequestContext) {
    return this.settings.changePassword(input, context);
  }

  @Handles(contract.changeEmail)
  changeEmail(@Payload() input: Input['changeEmail'], @Ctx() context: RequestContext) {
    return this.settings.changeEmail(input, context);
  }

  @Handles(contract.deleteAccount)
  delete(@Payload() input: Input['deleteAccount'], @Ctx() context: RequestContext) {
    return this.settings.delete(input, context);
  }

  @Handles(contract.signInMethods)
  signInMethods(@Ctx() { actor }: RequestContext) {
    return this.accountData.signInMethods(actor);
  }

  @Handles(contract.accountData)
  data(@Ctx() { actor }: RequestContext) {
    return this.accountData.data(actor);
  }
}
