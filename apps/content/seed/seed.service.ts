import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { system } from '#libs/contracts';
import { sections, type SectionName } from '#libs/content-model';
import { transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { parseCreate } from '../entry/entry.body.js';
import { EntryWriter } from '../entry/entry.writer.js';
import { SiteVersionRepository } from '../site-version/site-version.repository.js';
import { demoContent } from './demo-content.js';

export const SEED_SETTING = Symbol('seed');

/** Runs before the service takes its first request. */
@Injectable()
export class SeedService implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writer: EntryWriter,
    private readonly siteVersion: SiteVersionRepository,
    @Inject(SEED_SETTING) private readonly seed: 'demo' | 'none',
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.seed === 'none') return;
    const count = await this.seedOnce();
    if (count > 0) this.logger.info({ records: count }, 'Seeded the demo content');
  }

  /**
   * Creates all demo records or none, and returns their number. A site at version 0 has never had content; a site whose records were all deleted
   * stays empty. When replicas start together, the others wait here for the first one, and then find nothing to do.
   */
  private async seedOnce(): Promise<number> {
    return transaction(this.dataSource, async (tx) => {
      if ((await this.siteVersion.lock(tx)) > 0) return 0;
      let count = 0;
      for (const name of Object.keys(demoContent) as SectionName[]) {
        for (const body of demoContent[name]) {
          await this.writer.create(tx, { actor: system }, sections[name], parseCreate(sections[name], body));
          count += 1;
        }
      }
      return count;
    });
  }
}
