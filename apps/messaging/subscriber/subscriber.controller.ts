import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, messagingContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { SubscriberService } from './subscriber.service.js';

type Input<C extends keyof typeof messagingContract> = HandlerInput<(typeof messagingContract)[C]>;

@Controller()
export class SubscriberController {
  constructor(private readonly subscribers: SubscriberService) {}

  @Handles(messagingContract.addSubscriber)
  add(@Payload() { body, ip }: Input<'addSubscriber'>, @Ctx() context: RequestContext) {
    return this.subscribers.add({ email: body.email, ip }, context);
  }

  @Handles(messagingContract.listSubscribers)
  list(@Payload() request: Input<'listSubscribers'>) {
    return this.subscribers.list(request);
  }

  @Handles(messagingContract.liftSuppression)
  liftSuppression(@Payload() input: Input<'liftSuppression'>, @Ctx() context: RequestContext) {
    return this.subscribers.liftSuppression(input, context);
  }

  @Handles(messagingContract.removeSubscriber)
  remove(@Payload() input: Input<'removeSubscriber'>, @Ctx() context: RequestContext) {
    return this.subscribers.remove(input, context);
  }

  @Handles(messagingContract.removeSubscribers)
  removeAll(@Payload() { ids }: Input<'removeSubscribers'>, @Ctx() context: RequestContext) {
    return this.subscribers.removeAll(ids, context);
  }

  @Handles(messagingContract.restoreSubscribers)
  restoreAll(@Payload() { ids }: Input<'restoreSubscribers'>, @Ctx() context: RequestContext) {
    return this.subscribers.restoreAll(ids, context);
  }
}
