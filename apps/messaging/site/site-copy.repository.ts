import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ContentRecord, contentChanged, EventPayload, SiteContentSnapshot } from '#libs/contracts';

/** Of the site's content, what mails show. */
const copiedSections: readonly string[] = ['logo', 'footerAbout', 'footerAddress', 'mailText', 'newsletter'];

interface Copy {
  section: string;
  id: string;
  /** Null once it was deleted. */
  body: ContentRecord | null;
}

/**
 * What mails show of the site's content, so that they go out while content is down. Every row knows the version of the site that it comes
 * from: news may come in any order and more than once.
 */
@Injectable()
export class SiteCopy {
  constructor(private readonly dataSource: DataSource) {}

  /** Takes in one change. Of other sections it knows nothing. */
  async follow({ section, id, record, siteVersion }: EventPayload<typeof contentChanged>): Promise<void> {
    if (copiedSections.includes(section)) await this.store([{ section, id, body: record }], siteVersion);
  }

  /** Takes in the whole site at one version: what is not in it was deleted before. */
  async takeIn({ version, sections }: SiteContentSnapshot): Promise<void> {
    const copies = copiedSections.flatMap((section) =>
      (sections[section] ?? []).map((body) => ({ section, id: body._id, body })),
    );
    await this.store(copies, version);
    await this.dataSource.query(
      `UPDATE site_copies SET body = NULL, site_version = $1
       WHERE body IS NOT NULL AND site_version < $1 AND id <> ALL ($2::uuid[])`,
      [version, copies.map(({ id }) => id)],
    );
  }

  async read(
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, Record<string, unknown>[]>> {
    const rows = await manager.query<{ section: string; body: Record<string, unknown> }[]>(
      `SELECT section, body FROM site_copies WHERE body IS NOT NULL ORDER BY section, id`,
    );
    const bySection = new Map<string, Record<string, unknown>[]>();
    for (const { section, body } of rows) {
      bySection.set(section, [...(bySection.get(section) ?? []), body]);
    }
    return bySection;
  }

  private async store(copies: readonly Copy[], siteVersion: number): Promise<void> {
    for (const { section, id, body } of copies) {
      await this.dataSource.query(
        `INSERT INTO site_copies (section, id, body, site_version) VALUES ($1, $2, $3, $4)
         ON CONFLICT (section, id) DO UPDATE SET body = excluded.body, site_version = excluded.site_version
         WHERE site_copies.site_version < excluded.site_version`,
        [section, id, body === null ? null : JSON.stringify(body), siteVersion],
      );
    }
  }
}
