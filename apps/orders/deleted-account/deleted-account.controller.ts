import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { accountDeleted, type EventPayload } from '#libs/contracts';
import { EventContext, OnEvent } from '#libs/transport';
import { DeletedAccounts } from './deleted-accounts.js';

@Controller()
export class DeletedAccountController {
  constructor(private readonly deleted: DeletedAccounts) {}

  @OnEvent(accountDeleted)
  forget(
    @Payload() deleted: EventPayload<typeof accountDeleted>,
    @Ctx() { eventId }: EventContext,
  ): Promise<void> {
    return this.deleted.forget(deleted, eventId);
  }
}
