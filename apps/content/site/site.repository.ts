import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntryEntity } from '../entry/entry.entity.js';

export type SiteRow = Pick<EntryEntity, 'id' | 'section' | 'body' | 'version' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class SiteRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads in one statement, so the entries are exactly those of the version. */
  async read(): Promise<{ siteVersion: number; entries: SiteRow[] }> {
    const rows = await this.dataSource.sql<(SiteRow & { siteVersion: number })[]>`
      SELECT site_version.version AS "siteVersion", entries.id, section, body, entries.version,
        created_at AS "createdAt", updated_at AS "updatedAt"
      FROM site_version LEFT JOIN entries ON true ORDER BY position`;
    // A site without entries has one row, whose other columns are null.
    return { siteVersion: rows[0]!.siteVersion, entries: rows.filter(({ id }) => id !== null) };
  }
}
