import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, type Output, secondFactorContract as contract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { SecondFactorSetupService } from './second-factor-setup.service.js';

@Controller()
export class SecondFactorController {
  constructor(private readonly factors: SecondFactorSetupService) {}

  @Handles(contract.security)
  security(@Ctx() { actor }: RequestContext): Promise<Output<typeof contract.security>> {
    return this.factors.security(actor);
  }

  @Handles(contract.beginTotp)
  beginTotp(@Ctx() context: RequestContext): Promise<Output<typeof contract.beginTotp>> {
    return this.factors.beginTotp(context);
  }

  @Handles(contract.confirmTotp)
  confirmTotp(
    @Payload() { code }: HandlerInput<typeof contract.confirmTotp>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof contract.confirmTotp>> {
    return this.factors.confirmTotp(code, context);
  }

  @Handles(contract.removeTotp)
  removeTotp(@Ctx() context: RequestContext): Promise<Output<typeof contract.removeTotp>> {
    return this.factors.removeTotp(context);
  }

  @Handles(contract.renewRecoveryCodes)
  renewRecoveryCodes(@Ctx() context: RequestContext): Promise<Output<typeof contract.renewRecoveryCodes>> {
    return this.factors.renewRecoveryCodes(context);
  }

  @Handles(contract.beginPasskey)
  beginPasskey(@Ctx() { actor }: RequestContext): Promise<Output<typeof contract.beginPasskey>> {
    return this.factors.beginPasskey(actor);
  }

  @Handles(contract.addPasskey)
  addPasskey(
    @Payload() input: HandlerInput<typeof contract.addPasskey>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof contract.addPasskey>> {
    return this.factors.addPasskey(input, context);
  }

  @Handles(contract.renamePasskey)
  renamePasskey(
    @Payload() input: HandlerInput<typeof contract.renamePasskey>,
    @Ctx() { actor }: RequestContext,
  ): Promise<Output<typeof contract.renamePasskey>> {
    return this.factors.renamePasskey(input, actor);
  }

  @Handles(contract.removePasskey)
  removePasskey(
    @Payload() { id }: HandlerInput<typeof contract.removePasskey>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof contract.removePasskey>> {
    return this.factors.removePasskey(id, context);
  }
}
