import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountContract, type HandlerInput, type Output } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { VerificationService } from './verification.service.js';

@Controller()
export class VerificationController {
  constructor(private readonly verification: VerificationService) {}

  @Handles(accountContract.verifyEmail)
  verify(
    @Payload() { token }: HandlerInput<typeof accountContract.verifyEmail>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof accountContract.verifyEmail>> {
    return this.verification.verify(token, context);
  }

  @Handles(accountContract.resendVerification)
  resend(@Ctx() context: RequestContext): Promise<Output<typeof accountContract.resendVerification>> {
    return this.verification.resend(context);
  }
}
