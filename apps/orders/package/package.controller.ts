import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { contentChanged, type EventPayload } from '#libs/contracts';
import { OnEvent } from '#libs/transport';
import { PackageProjection } from './package-projection.js';

@Controller()
export class PackageController {
  constructor(private readonly packages: PackageProjection) {}

  @OnEvent(contentChanged)
  follow(@Payload() change: EventPayload<typeof contentChanged>): Promise<void> {
    return this.packages.follow(change);
  }
}
