import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { googleContract as contract, type HandlerInputs } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { GoogleSignInService } from './google-sign-in.service.js';

type Input = HandlerInputs<typeof contract>;

@Controller()
export class GoogleController {
  constructor(private readonly google: GoogleSignInService) {}

  @Handles(contract.begin)
  begin(@Payload() input: Input['begin'], @Ctx() { actor }: RequestContext) {
    return this.google.begin(input, actor);
  }

  @Handles(contract.finish)
  finish(@Payload() input: Input['finish'], @Ctx() { requestId }: RequestContext) {
    return this.google.finish(input, requestId);
  }
}
