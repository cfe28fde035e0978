import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { system } from '#libs/contracts';
import { sections, type SectionName } from '#libs/content-model';
import { transaction } from '#libs/database';
import { LOGGER } from '#libs/platform';
import { parseCreate } from '../entry/entry.body.js';
import { EntryWriter } from '../entry/entry.writer.js';
import { lockSite } from '../site-version/site-version.js';
import { demoContent } from './demo-content.js';

/** Injection token of the setting: `demo` or `none`. */
export const SEED = Symbol('seed');

/** Fills an empty database with demo content before the service takes its first request. */
@Injectable()
export class SeedService implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writer: EntryWriter,
    @Inject(SEED) private readonly seed: 'demo' | 'none',
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.seed === 'none') return;
    const records = await this.seedOnce();
    if (records > 0) this.logger.info({ records }, 'Seeded the demo content');
  }

  /**
   * All of it or nothing. A site at version 0 has never had content; one whose records were all deleted has, and stays
   * empty. Replicas that start together wait here for the first, and then find the work done.
   */
  private async seedOnce(): Promise<number> {
    return transaction(this.dataSource, async (tx) => {
      if ((await lockSite(tx)) > 0) return 0;
      let records = 0;
      for (const name of Object.keys(demoContent) as SectionName[]) {
        for (const body of demoContent[name]) {
          await this.writer.create(tx, { actor: system }, sections[name], parseCreate(sections[name], body));
          records += 1;
        }
      }
      return records;
    });
  }
}
