import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type HandlerInput, mailContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { BounceService } from './bounce.service.js';

@Controller()
export class BounceController {
  constructor(private readonly bounces: BounceService) {}

  @Handles(mailContract.reportBounce)
  async report(
    @Payload() input: HandlerInput<typeof mailContract.reportBounce>,
  ): Promise<{ bounced: boolean }> {
    return { bounced: await this.bounces.acceptReport(input) };
  }

  @Handles(mailContract.reportEvents)
  events(@Payload() input: HandlerInput<typeof mailContract.reportEvents>): Promise<{ applied: number }> {
    return this.bounces.acceptEvents(input);
  }
}
