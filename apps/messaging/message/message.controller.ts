import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, messagingContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { MessageService } from './message.service.js';

type Input<C extends keyof typeof messagingContract> = HandlerInput<(typeof messagingContract)[C]>;

@Controller()
export class MessageController {
  constructor(private readonly messages: MessageService) {}

  @Handles(messagingContract.addMessage)
  add(@Payload() { body }: Input<'addMessage'>, @Ctx() context: RequestContext) {
    return this.messages.add(body, context);
  }

  @Handles(messagingContract.listMessages)
  list(@Payload() request: Input<'listMessages'>) {
    return this.messages.list(request);
  }

  @Handles(messagingContract.message)
  item(@Payload() { id }: Input<'message'>) {
    return this.messages.item(id);
  }

  @Handles(messagingContract.reply)
  reply(@Payload() { id, text }: Input<'reply'>, @Ctx() context: RequestContext) {
    return this.messages.reply(id, text, context);
  }

  @Handles(messagingContract.note)
  note(@Payload() { id, text }: Input<'note'>, @Ctx() context: RequestContext) {
    return this.messages.addNote(id, text, context);
  }

  @Handles(messagingContract.setAnswered)
  setAnswered(@Payload() { id, answered }: Input<'setAnswered'>, @Ctx() context: RequestContext) {
    return this.messages.setAnswered(id, answered, context);
  }

  @Handles(messagingContract.setMessageStatus)
  setStatus(@Payload() input: Input<'setMessageStatus'>, @Ctx() context: RequestContext) {
    return this.messages.setStatus(input, context);
  }

  @Handles(messagingContract.removeMessage)
  remove(@Payload() input: Input<'removeMessage'>, @Ctx() context: RequestContext) {
    return this.messages.remove(input, context);
  }

  @Handles(messagingContract.readMessages)
  readAll(@Payload() { ids }: Input<'readMessages'>, @Ctx() context: RequestContext) {
    return this.messages.readAll(ids, context);
  }

  @Handles(messagingContract.removeMessages)
  removeAll(@Payload() { ids }: Input<'removeMessages'>, @Ctx() context: RequestContext) {
    return this.messages.removeAll(ids, context);
  }

  @Handles(messagingContract.restoreMessages)
  restoreAll(@Payload() { ids }: Input<'restoreMessages'>, @Ctx() context: RequestContext) {
    return this.messages.restoreAll(ids, context);
  }
}
