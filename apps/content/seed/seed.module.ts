import { type DynamicModule, Module } from '@nestjs/common';
import type { ContentConfig } from '../config.js';
import { EntryModule } from '../entry/entry.module.js';
import { SiteVersionModule } from '../site-version/site-version.module.js';
import { SEED_SETTING, SeedService } from './seed.service.js';

@Module({ imports: [EntryModule, SiteVersionModule] })
export class SeedModule {
  static forRoot({ SEED: seed }: ContentConfig): DynamicModule {
    return { module: SeedModule, providers: [SeedService, { provide: SEED_SETTING, useValue: seed }] };
  }
}
