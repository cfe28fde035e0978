import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountDeleted, type EventPayload, messagingContract, type OwnMessagingData } from '#libs/contracts';
import { EventContext, Handles, OnEvent, RequestContext } from '#libs/transport';
import { PersonalDataService } from './personal-data.service.js';

@Controller()
export class PersonalDataController {
  constructor(private readonly personalData: PersonalDataService) {}

  @Handles(messagingContract.ownData)
  get(@Ctx() { actor }: RequestContext): Promise<OwnMessagingData> {
    return this.personalData.get(actor);
  }

  @OnEvent(accountDeleted)
  delete(
    @Payload() deleted: EventPayload<typeof accountDeleted>,
    @Ctx() { eventId }: EventContext,
  ): Promise<void> {
    return this.personalData.delete(deleted, eventId);
  }
}
