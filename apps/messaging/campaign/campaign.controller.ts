import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type Campaign,
  type CampaignAudience,
  campaignContract,
  type CampaignPreview,
  type CampaignSummary,
  type HandlerInput,
  type PageOf,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { CampaignService } from './campaign.service.js';

type Input<C extends keyof typeof campaignContract> = HandlerInput<(typeof campaignContract)[C]>;
type Changed = Promise<{ record: Campaign; modified: boolean }>;

@Controller()
export class CampaignController {
  constructor(private readonly campaigns: CampaignService) {}

  @Handles(campaignContract.list)
  list(@Payload() request: Input<'list'>): Promise<PageOf<CampaignSummary>> {
    return this.campaigns.list(request);
  }

  @Handles(campaignContract.campaign)
  item(@Payload() { id }: Input<'campaign'>): Promise<Campaign> {
    return this.campaigns.item(id);
  }

  @Handles(campaignContract.audience)
  audience(): Promise<CampaignAudience> {
    return this.campaigns.audience();
  }

  @Handles(campaignContract.preview)
  preview(@Payload() body: Input<'preview'>): Promise<CampaignPreview> {
    return this.campaigns.preview(body);
  }

  @Handles(campaignContract.create)
  create(@Payload() body: Input<'create'>, @Ctx() context: RequestContext): Promise<Campaign> {
    return this.campaigns.create(body, context);
  }

  @Handles(campaignContract.update)
  update(@Payload() input: Input<'update'>, @Ctx() context: RequestContext): Changed {
    return this.campaigns.update(input, context);
  }

  @Handles(campaignContract.remove)
  remove(@Payload() input: Input<'remove'>, @Ctx() context: RequestContext): Promise<{ _id: string }> {
    return this.campaigns.remove(input, context);
  }

  @Handles(campaignContract.test)
  test(
    @Payload() { id }: Input<'test'>,
    @Ctx() context: RequestContext,
  ): Promise<{ _id: string; to: string }> {
    return this.campaigns.test(id, context);
  }

  @Handles(campaignContract.send)
  send(@Payload() input: Input<'send'>, @Ctx() context: RequestContext): Changed {
    return this.campaigns.send(input, context);
  }

  @Handles(campaignContract.pause)
  pause(@Payload() input: Input<'pause'>, @Ctx() context: RequestContext): Changed {
    return this.campaigns.pause(input, context);
  }

  @Handles(campaignContract.resume)
  resume(@Payload() input: Input<'resume'>, @Ctx() context: RequestContext): Changed {
    return this.campaigns.resume(input, context);
  }

  @Handles(campaignContract.cancel)
  cancel(@Payload() input: Input<'cancel'>, @Ctx() context: RequestContext): Changed {
    return this.campaigns.cancel(input, context);
  }
}
