import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { contentChanged, type EventPayload } from '#libs/contracts';
import { OnEvent } from '#libs/transport';
import { SiteCopy } from './site-copy.js';

@Controller()
export class SiteController {
  constructor(private readonly copy: SiteCopy) {}

  @OnEvent(contentChanged)
  follow(@Payload() change: EventPayload<typeof contentChanged>): Promise<void> {
    return this.copy.follow(change);
  }
}
