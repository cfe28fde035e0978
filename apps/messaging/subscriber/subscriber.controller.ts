import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type BulkOutcome,
  type HandlerInput,
  messagingContract,
  type PageOf,
  type Subscriber,
  type SubscriberRecord,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { SubscriberRemovalService } from './subscriber-removal.service.js';
import { SubscriberService } from './subscriber.service.js';

@Controller()
export class SubscriberController {
  constructor(
    private readonly subscribers: SubscriberService,
    private readonly removals: SubscriberRemovalService,
  ) {}

  @Handles(messagingContract.addSubscriber)
  add(
    @Payload() { body, ip }: HandlerInput<typeof messagingContract.addSubscriber>,
    @Ctx() context: RequestContext,
  ): Promise<Subscriber> {
    return this.subscribers.add({ email: body.email, ip }, context);
  }

  @Handles(messagingContract.listSubscribers)
  list(
    @Payload() request: HandlerInput<typeof messagingContract.listSubscribers>,
  ): Promise<PageOf<SubscriberRecord>> {
    return this.subscribers.list(request);
  }

  @Handles(messagingContract.liftSuppression)
  liftSuppression(
    @Payload() input: HandlerInput<typeof messagingContract.liftSuppression>,
    @Ctx() context: RequestContext,
  ): Promise<SubscriberRecord> {
    return this.subscribers.liftSuppression(input, context);
  }

  @Handles(messagingContract.removeSubscriber)
  remove(
    @Payload() input: HandlerInput<typeof messagingContract.removeSubscriber>,
    @Ctx() context: RequestContext,
  ): Promise<{ _id: string }> {
    return this.subscribers.remove(input, context);
  }

  @Handles(messagingContract.removeSubscribers)
  removeAll(
    @Payload() { ids }: HandlerInput<typeof messagingContract.removeSubscribers>,
    @Ctx() context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.removals.removeAll(ids, context);
  }

  @Handles(messagingContract.restoreSubscribers)
  restoreAll(
    @Payload() { ids }: HandlerInput<typeof messagingContract.restoreSubscribers>,
    @Ctx() context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.removals.restoreAll(ids, context);
  }
}
