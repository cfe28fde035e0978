import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { contentChanged, type EventPayload } from '#libs/contracts';
import { ContentFollower, OnEvent } from '#libs/transport';

@Controller()
export class PackageController {
  constructor(private readonly content: ContentFollower) {}

  @OnEvent(contentChanged)
  applyChange(@Payload() change: EventPayload<typeof contentChanged>): Promise<void> {
    return this.content.apply(change);
  }
}
