import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { googleContract, type HandlerInput, type Output } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { GoogleSignInService } from './google-sign-in.service.js';

@Controller()
export class GoogleController {
  constructor(private readonly google: GoogleSignInService) {}

  @Handles(googleContract.begin)
  begin(
    @Payload() input: HandlerInput<typeof googleContract.begin>,
    @Ctx() { actor }: RequestContext,
  ): Promise<Output<typeof googleContract.begin>> {
    return this.google.begin(input, actor);
  }

  @Handles(googleContract.finish)
  finish(
    @Payload() input: HandlerInput<typeof googleContract.finish>,
    @Ctx() { requestId }: RequestContext,
  ): Promise<Output<typeof googleContract.finish>> {
    return this.google.finish(input, requestId);
  }
}
