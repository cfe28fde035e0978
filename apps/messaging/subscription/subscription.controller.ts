import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, messagingContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { SubscriptionService } from './subscription.service.js';

type Input<C extends keyof typeof messagingContract> = HandlerInput<(typeof messagingContract)[C]>;

@Controller()
export class SubscriptionController {
  constructor(private readonly subscriptions: SubscriptionService) {}

  @Handles(messagingContract.subscription)
  get(@Payload() { link, token }: Input<'subscription'>) {
    return this.subscriptions.get(link, token);
  }

  @Handles(messagingContract.confirmSubscription)
  confirm(@Payload() input: Input<'confirmSubscription'>, @Ctx() context: RequestContext) {
    return this.subscriptions.confirm(input, context);
  }

  @Handles(messagingContract.unsubscribe)
  unsubscribe(@Payload() input: Input<'unsubscribe'>, @Ctx() context: RequestContext) {
    return this.subscriptions.unsubscribe(input, context);
  }

  @Handles(messagingContract.subscribeAgain)
  subscribeAgain(@Payload() input: Input<'subscribeAgain'>, @Ctx() context: RequestContext) {
    return this.subscriptions.subscribeAgain(input, context);
  }
}
