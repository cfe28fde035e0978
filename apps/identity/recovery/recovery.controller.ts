import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountContract, type HandlerInput, type Output } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PasswordRecoveryService } from './password-recovery.service.js';
import { RecoveryWorker } from './recovery.worker.js';

@Controller()
export class RecoveryController {
  constructor(
    private readonly worker: RecoveryWorker,
    private readonly recovery: PasswordRecoveryService,
  ) {}

  @Handles(accountContract.forgotPassword)
  async forgot(
    @Payload() { email }: HandlerInput<typeof accountContract.forgotPassword>,
  ): Promise<Output<typeof accountContract.forgotPassword>> {
    await this.worker.request(email);
    return { accepted: true };
  }

  @Handles(accountContract.resetPassword)
  reset(
    @Payload() { token, password }: HandlerInput<typeof accountContract.resetPassword>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof accountContract.resetPassword>> {
    return this.recovery.reset(token, password, context);
  }
}
