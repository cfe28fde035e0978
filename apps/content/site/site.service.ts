import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ContentRecord, SiteContentSnapshot } from '#libs/contracts';
import { allSections, findSection } from '#libs/content-model';
import type { EntryBody } from '../entry/entry.entity.js';
import { toRecord } from '../entry/entry.record.js';
import { imageTexts } from '../entry/image-uses.js';

interface SnapshotRow {
  site_version: number;
  /** Null throughout for a site without entries. */
  id: string | null;
  section: string;
  body: EntryBody;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** The whole site at once. */
@Injectable()
export class SiteService {
  constructor(private readonly dataSource: DataSource) {}

  /** The entries come by one statement, hence of one moment: they are exactly those of the version told. */
  async snapshot(): Promise<SiteContentSnapshot> {
    const rows = await this.dataSource.query<[SnapshotRow, ...SnapshotRow[]]>(
      `SELECT site_version.version AS site_version,
              entries.id, section, body, entries.version, created_at, updated_at
         FROM site_version LEFT JOIN entries ON true
        ORDER BY position`,
    );
    const sections: Record<string, ContentRecord[]> = Object.fromEntries(
      allSections.map(({ name }) => [name, []]),
    );
    for (const { id, section: name, body, version, created_at, updated_at } of rows) {
      const section = id === null ? undefined : findSection(name);
      if (id === null || section === undefined) continue;
      sections[name]?.push(
        toRecord(section, { id, body, version, createdAt: created_at, updatedAt: updated_at }),
      );
    }
    return {
      version: rows[0].site_version,
      sections,
      imageTexts: await imageTexts(this.dataSource.manager),
      removedAt: await this.removals(),
    };
  }

  /** May already tell of a removal that the entries above do not show yet; the next version comes with it. */
  private async removals(): Promise<Record<string, string>> {
    const rows = await this.dataSource.query<{ section: string; removed_at: Date }[]>(
      `SELECT section, max(changed_at) AS removed_at FROM entry_history
        WHERE change = 'deleted' GROUP BY section`,
    );
    return Object.fromEntries(rows.map(({ section, removed_at }) => [section, removed_at.toISOString()]));
  }

  /** The snapshot's version alone. */
  async version(): Promise<{ version: number }> {
    const [row] = await this.dataSource.query<[{ version: number }]>(`SELECT version FROM site_version`);
    return { version: row.version };
  }
}
