import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInputs, secondFactorContract as contract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { SecondFactorSetupService } from './second-factor-setup.service.js';

type Input = HandlerInputs<typeof contract>;

@Controller()
export class SecondFactorController {
  constructor(private readonly factors: SecondFactorSetupService) {}

  @Handles(contract.security)
  security(@Ctx() { actor }: RequestContext) {
    return this.factors.security(actor);
  }

  @Handles(contract.beginTotp)
  beginTotp(@Ctx() context: RequestContext) {
    return this.factors.beginTotp(context);
  }

  @Handles(contract.confirmTotp)
  confirmTotp(@Payload() { code }: Input['confirmTotp'], @Ctx() context: RequestContext) {
    return this.factors.confirmTotp(code, context);
  }

  @Handles(contract.removeTotp)
  removeTotp(@Ctx() context: RequestContext) {
    return this.factors.removeTotp(context);
  }

  @Handles(contract.renewRecoveryCodes)
  renewRecoveryCodes(@Ctx() context: RequestContext) {
    return this.factors.renewRecoveryCodes(context);
  }

  @Handles(contract.beginPasskey)
  beginPasskey(@Ctx() { actor }: RequestContext) {
    return this.factors.beginPasskey(actor);
  }

  @Handles(contract.addPasskey)
  addPasskey(@Payload() input: Input['addPasskey'], @Ctx() context: RequestContext) {
    return this.factors.addPasskey(input, context);
  }

  @Handles(contract.renamePasskey)
  renamePasskey(@Payload() input: Input['renamePasskey'], @Ctx() { actor }: RequestContext) {
    return this.factors.renamePasskey(input, actor);
  }

  @Handles(contract.removePasskey)
  removePasskey(@Payload() { id }: Input['removePasskey'], @Ctx() context: RequestContext) {
    return this.factors.removePasskey(id, context);
  }
}
