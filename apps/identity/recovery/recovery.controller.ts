import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountContract as contract, type HandlerInputs } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { PasswordRecoveryService } from './password-recovery.service.js';
import { RecoveryWorker } from './recovery.worker.js';

type Input = HandlerInputs<typeof contract>;

@Controller()
export class RecoveryController {
  constructor(
    private readonly worker: RecoveryWorker,
    private readonly recovery: PasswordRecoveryService,
  ) {}

  @Handles(contract.forgotPassword)
  async forgot(@Payload() { email }: Input['forgotPassword']) {
    await this.worker.request(email);
    return { accepted: true as const };
  }

  @Handles(contract.resetPassword)
  reset(@Payload() { token, password }: Input['resetPassword'], @Ctx() context: RequestContext) {
    return this.recovery.reset(token, password, context);
  }
}
