import { Injectable } from '@nestjs/common';
import { contentContract, type ContentRecord, type SiteContentSnapshot } from '#libs/contracts';
import { allSections, findSection } from '#libs/content-model';
import { Handles } from '#libs/transport';
import { EntryHistoryRepository } from '../entry/entry-history.repository.js';
import { toRecord } from '../entry/entry.record.js';
import { ImageRepository } from '../image/image.repository.js';
import { SiteVersionRepository } from '../site-version/site-version.repository.js';
import { SiteRepository } from './site.repository.js';

@Injectable()
export class SiteService {
  constructor(
    private readonly site: SiteRepository,
    private readonly siteVersion: SiteVersionRepository,
    private readonly images: ImageRepository,
    private readonly history: EntryHistoryRepository,
  ) {}

  /** `imageTexts` and `removedAt` are read last. They may contain a change of the next version already, which gateways will read soon anyway. */
  @Handles(contentContract.snapshot)
  async snapshot(): Promise<SiteContentSnapshot> {
    const { siteVersion, entries } = await this.site.read();
    const sections: Record<string, ContentRecord[]> = Object.fromEntries(
      allSections.map(({ name }) => [name, []]),
    );
    for (const entry of entries) {
      const section = findSection(entry.section);
      if (section) sections[section.name]?.push(toRecord(section, entry));
    }
    return {
      version: siteVersion,
      sections,
      imageTexts: await this.images.listAltTextsInUse(),
      removedAt: await this.history.lastDeletionTimes(),
    };
  }

  @Handles(contentContract.version)
  async version(): Promise<{ version: number }> {
    return { version: await this.siteVersion.current() };
  }
}
