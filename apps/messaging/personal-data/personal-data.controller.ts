import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountDeleted, type EventPayload, messagingContract, type OwnMessagingData } from '#libs/contracts';
import { EventContext, Handles, OnEvent, RequestContext } from '#libs/transport';
import { PersonalDataService } from './personal-data.service.js';

@Controller()
export class PersonalDataController {
  constructor(private readonly personalData: PersonalDataService) {}

  @Handles(messagingContract.ownData)
  own(@Ctx() { actor }: RequestContext): Promise<OwnMessagingData> {
    return this.personalData.of(actor);
  }

  @OnEvent(accountDeleted)
  forget(
    @Payload() deleted: EventPayload<typeof accountDeleted>,
    @Ctx() { eventId }: EventContext,
  ): Promise<void> {
    return this.personalData.forget(deleted, eventId);
  }
}
