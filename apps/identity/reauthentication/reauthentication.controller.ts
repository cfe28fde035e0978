import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, secondFactorContract as contract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { ConfirmationService } from './confirmation.service.js';

@Controller()
export class ReauthenticationController {
  constructor(private readonly confirmation: ConfirmationService) {}

  @Handles(contract.confirm)
  confirm(@Payload() input: HandlerInput<typeof contract.confirm>, @Ctx() { actor }: RequestContext) {
    return this.confirmation.confirm(input, actor);
  }
}
