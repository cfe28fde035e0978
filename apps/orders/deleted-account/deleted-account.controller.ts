import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountDeleted, type EventPayload } from '#libs/contracts';
import { EventContext, OnEvent } from '#libs/transport';
import { DeletedAccountService } from './deleted-account.service.js';

@Controller()
export class DeletedAccountController {
  constructor(private readonly accounts: DeletedAccountService) {}

  @OnEvent(accountDeleted)
  forget(
    @Payload() deleted: EventPayload<typeof accountDeleted>,
    @Ctx() { eventId }: EventContext,
  ): Promise<void> {
    return this.accounts.forget(deleted, eventId);
  }
}
