import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, messagingContract, type Subscription } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { SubscriptionService } from './subscription.service.js';

@Controller()
export class SubscriptionController {
  constructor(private readonly subscriptions: SubscriptionService) {}

  @Handles(messagingContract.subscription)
  get(
    @Payload() { link, token }: HandlerInput<typeof messagingContract.subscription>,
  ): Promise<Subscription> {
    return this.subscriptions.get(link, token);
  }

  @Handles(messagingContract.confirmSubscription)
  confirm(
    @Payload() input: HandlerInput<typeof messagingContract.confirmSubscription>,
    @Ctx() context: RequestContext,
  ): Promise<Subscription> {
    return this.subscriptions.confirm(input, context);
  }

  @Handles(messagingContract.unsubscribe)
  unsubscribe(
    @Payload() input: HandlerInput<typeof messagingContract.unsubscribe>,
    @Ctx() context: RequestContext,
  ): Promise<Subscription> {
    return this.subscriptions.unsubscribe(input, context);
  }

  @Handles(messagingContract.subscribeAgain)
  subscribeAgain(
    @Payload() input: HandlerInput<typeof messagingContract.subscribeAgain>,
    @Ctx() context: RequestContext,
  ): Promise<Subscription> {
    return this.subscriptions.subscribeAgain(input, context);
  }
}
