import { Controller } from '@nestjs/common';
import { contentContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { SiteService } from './site.service.js';

@Controller()
export class SiteController {
  constructor(private readonly site: SiteService) {}

  @Handles(contentContract.snapshot)
  snapshot() {
    return this.site.snapshot();
  }

  @Handles(contentContract.version)
  version() {
    return this.site.version();
  }
}
