import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { contentContract, type HandlerInput } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { EntryService } from './entry.service.js';

@Controller()
export class EntryController {
  constructor(private readonly entries: EntryService) {}

  @Handles(contentContract.list)
  list(@Payload() input: HandlerInput<typeof contentContract.list>, @Ctx() { actor }: RequestContext) {
    return this.entries.list(input, actor);
  }

  @Handles(contentContract.item)
  item(@Payload() input: HandlerInput<typeof contentContract.item>, @Ctx() { actor }: RequestContext) {
    return this.entries.item(input, actor);
  }

  @Handles(contentContract.history)
  history(@Payload() input: HandlerInput<typeof contentContract.history>) {
    return this.entries.history(input);
  }

  @Handles(contentContract.create)
  create(@Payload() input: HandlerInput<typeof contentContract.create>, @Ctx() context: RequestContext) {
    return this.entries.create(input, context);
  }

  @Handles(contentContract.update)
  update(@Payload() input: HandlerInput<typeof contentContract.update>, @Ctx() context: RequestContext) {
    return this.entries.update(input, context);
  }

  @Handles(contentContract.restore)
  restore(@Payload() input: HandlerInput<typeof contentContract.restore>, @Ctx() context: RequestContext) {
    return this.entries.restore(input, context);
  }

  @Handles(contentContract.move)
  move(@Payload() input: HandlerInput<typeof contentContract.move>, @Ctx() context: RequestContext) {
    return this.entries.move(input, context);
  }

  @Handles(contentContract.remove)
  remove(@Payload() input: HandlerInput<typeof contentContract.remove>, @Ctx() context: RequestContext) {
    return this.entries.remove(input, context);
  }
}
