import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { campaignContract, type HandlerInput } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { CampaignService } from './campaign.service.js';

type Input<C extends keyof typeof campaignContract> = HandlerInput<(typeof campaignContract)[C]>;

@Controller()
export class CampaignController {
  constructor(private readonly campaigns: CampaignService) {}

  @Handles(campaignContract.list)
  list(@Payload() request: Input<'list'>) {
    return this.campaigns.list(request);
  }

  @Handles(campaignContract.campaign)
  item(@Payload() { id }: Input<'campaign'>) {
    return this.campaigns.item(id);
  }

  @Handles(campaignContract.audience)
  audience() {
    return this.campaigns.audience();
  }

  @Handles(campaignContract.preview)
  preview(@Payload() body: Input<'preview'>) {
    return this.campaigns.preview(body);
  }

  @Handles(campaignContract.create)
  create(@Payload() body: Input<'create'>, @Ctx() context: RequestContext) {
    return this.campaigns.create(body, context);
  }

  @Handles(campaignContract.update)
  update(@Payload() input: Input<'update'>, @Ctx() context: RequestContext) {
    return this.campaigns.update(input, context);
  }

  @Handles(campaignContract.remove)
  remove(@Payload() input: Input<'remove'>, @Ctx() context: RequestContext) {
    return this.campaigns.remove(input, context);
  }

  @Handles(campaignContract.test)
  test(@Payload() { id }: Input<'test'>, @Ctx() context: RequestContext) {
    return this.campaigns.test(id, context);
  }

  @Handles(campaignContract.send)
  send(@Payload() input: Input<'send'>, @Ctx() context: RequestContext) {
    return this.campaigns.send(input, context);
  }

  @Handles(campaignContract.pause)
  pause(@Payload() input: Input<'pause'>, @Ctx() context: RequestContext) {
    return this.campaigns.pause(input, context);
  }

  @Handles(campaignContract.resume)
  resume(@Payload() input: Input<'resume'>, @Ctx() context: RequestContext) {
    return this.campaigns.resume(input, context);
  }

  @Handles(campaignContract.cancel)
  cancel(@Payload() input: Input<'cancel'>, @Ctx() context: RequestContext) {
    return this.campaigns.cancel(input, context);
  }
}
