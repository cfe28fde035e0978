import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type HandlerInput, mailContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { BounceService } from './bounce.service.js';

type Input<C extends keyof typeof mailContract> = HandlerInput<(typeof mailContract)[C]>;

@Controller()
export class BounceController {
  constructor(private readonly bounces: BounceService) {}

  @Handles(mailContract.reportBounce)
  async report(@Payload() input: Input<'reportBounce'>): Promise<{ bounced: boolean }> {
    return { bounced: await this.bounces.acceptReport(input) };
  }

  @Handles(mailContract.reportEvents)
  events(@Payload() input: Input<'reportEvents'>): Promise<{ applied: number }> {
    return this.bounces.acceptEvents(input);
  }
}
