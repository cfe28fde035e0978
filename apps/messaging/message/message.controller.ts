import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type BulkOutcome,
  type HandlerInput,
  type Message,
  messagingContract,
  type Output,
  type PageOf,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { MessageService } from './message.service.js';

@Controller()
export class MessageController {
  constructor(private readonly messages: MessageService) {}

  @Handles(messagingContract.addMessage)
  add(
    @Payload() { body }: HandlerInput<typeof messagingContract.addMessage>,
    @Ctx() context: RequestContext,
  ): Promise<Message> {
    return this.messages.add(body, context);
  }

  @Handles(messagingContract.listMessages)
  list(@Payload() request: HandlerInput<typeof messagingContract.listMessages>): Promise<PageOf<Message>> {
    return this.messages.list(request);
  }

  @Handles(messagingContract.message)
  item(@Payload() { id }: HandlerInput<typeof messagingContract.message>): Promise<Message> {
    return this.messages.item(id);
  }

  @Handles(messagingContract.setMessageStatus)
  setStatus(
    @Payload() input: HandlerInput<typeof messagingContract.setMessageStatus>,
    @Ctx() context: RequestContext,
  ): Promise<Output<typeof messagingContract.setMessageStatus>> {
    return this.messages.setStatus(input, context);
  }

  @Handles(messagingContract.removeMessage)
  remove(
    @Payload() input: HandlerInput<typeof messagingContract.removeMessage>,
    @Ctx() context: RequestContext,
  ): Promise<{ _id: string }> {
    return this.messages.remove(input, context);
  }

  @Handles(messagingContract.readMessages)
  readAll(
    @Payload() { ids }: HandlerInput<typeof messagingContract.readMessages>,
    @Ctx() context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.messages.readAll(ids, context);
  }

  @Handles(messagingContract.removeMessages)
  removeAll(
    @Payload() { ids }: HandlerInput<typeof messagingContract.removeMessages>,
    @Ctx() context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.messages.removeAll(ids, context);
  }

  @Handles(messagingContract.restoreMessages)
  restoreAll(
    @Payload() { ids }: HandlerInput<typeof messagingContract.restoreMessages>,
    @Ctx() context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.messages.restoreAll(ids, context);
  }
}
