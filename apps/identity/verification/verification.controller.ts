import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountContract as contract, type HandlerInput } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { VerificationService } from './verification.service.js';

@Controller()
export class VerificationController {
  constructor(private readonly verification: VerificationService) {}

  @Handles(contract.verifyEmail)
  verify(@Payload() { token }: HandlerInput<typeof contract.verifyEmail>, @Ctx() context: RequestContext) {
    return this.verification.verify(token, context);
  }

  @Handles(contract.resendVerification)
  resend(@Ctx() context: RequestContext) {
    return this.verification.resend(context);
  }
}
