import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { contentChanged, type EventPayload } from '#libs/contracts';
import { OnEvent } from '#libs/transport';
import { PackageProjectionService } from './package-projection.service.js';

@Controller()
export class PackageController {
  constructor(private readonly projection: PackageProjectionService) {}

  @OnEvent(contentChanged)
  applyChange(@Payload() change: EventPayload<typeof contentChanged>): Promise<void> {
    return this.projection.apply(change);
  }
}
