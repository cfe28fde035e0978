import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type HandlerInput,
  type ImportRefusal,
  type PageOf,
  type SubscriberImport,
  subscriberImportContract,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { SubscriberImportService } from './subscriber-import.service.js';

@Controller()
export class SubscriberImportController {
  constructor(private readonly imports: SubscriberImportService) {}

  @Handles(subscriberImportContract.begin)
  begin(
    @Payload() input: HandlerInput<typeof subscriberImportContract.begin>,
    @Ctx() context: RequestContext,
  ): Promise<SubscriberImport> {
    return this.imports.begin(input, context);
  }

  @Handles(subscriberImportContract.rows)
  rows(
    @Payload() input: HandlerInput<typeof subscriberImportContract.rows>,
    @Ctx() context: RequestContext,
  ): Promise<{ done: number }> {
    return this.imports.addRows(input, context);
  }

  @Handles(subscriberImportContract.get)
  get(@Payload() { id }: HandlerInput<typeof subscriberImportContract.get>): Promise<SubscriberImport> {
    return this.imports.get(id);
  }

  @Handles(subscriberImportContract.refusals)
  refusals(
    @Payload() input: HandlerInput<typeof subscriberImportContract.refusals>,
  ): Promise<PageOf<ImportRefusal>> {
    return this.imports.refusals(input);
  }
}
