import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, subscriberImportContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { SubscriberImportService } from './subscriber-import.service.js';

type Input<C extends keyof typeof subscriberImportContract> = HandlerInput<
  (typeof subscriberImportContract)[C]
>;

@Controller()
export class SubscriberImportController {
  constructor(private readonly imports: SubscriberImportService) {}

  @Handles(subscriberImportContract.begin)
  begin(@Payload() input: Input<'begin'>, @Ctx() context: RequestContext) {
    return this.imports.begin(input, context);
  }

  @Handles(subscriberImportContract.rows)
  rows(@Payload() input: Input<'rows'>, @Ctx() context: RequestContext): Promise<{ done: number }> {
    return this.imports.addRows(input, context);
  }

  @Handles(subscriberImportContract.get)
  get(@Payload() { id }: Input<'get'>) {
    return this.imports.get(id);
  }

  @Handles(subscriberImportContract.refusals)
  refusals(@Payload() input: Input<'refusals'>) {
    return this.imports.refusals(input);
  }
}
