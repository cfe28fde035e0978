import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, type Output, secondFactorContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { ConfirmationService } from './confirmation.service.js';

@Controller()
export class ReauthenticationController {
  constructor(private readonly confirmation: ConfirmationService) {}

  @Handles(secondFactorContract.confirm)
  confirm(
    @Payload() input: HandlerInput<typeof secondFactorContract.confirm>,
    @Ctx() { actor }: RequestContext,
  ): Promise<Output<typeof secondFactorContract.confirm>> {
    return this.confirmation.confirm(input, actor);
  }
}
