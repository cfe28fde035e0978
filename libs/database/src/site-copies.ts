import type { DataSource, EntityManager } from 'typeorm';
import type { ContentRecord } from '#libs/contracts';
import type { ContentCopy } from '#libs/transport';

/** The key is the section's name. */
export type CopiedSections = ReadonlyMap<string, readonly Record<string, unknown>[]>;

/**
 * The table `site_copies`: a service's copy of content. `body` is null for a deleted record, whose row stays so that an older event cannot bring it
 * back. There is no entity, because saving one would overwrite a row even with an earlier version.
 */
export class SiteCopies implements ContentCopy {
  constructor(
    private readonly dataSource: DataSource,
    readonly sections: readonly string[],
  ) {}

  async read(manager: EntityManager = this.dataSource.manager): Promise<CopiedSections> {
    const rows = await manager.query<{ section: string; records: Record<string, unknown>[] }[]>(
      `SELECT section, jsonb_agg(body ORDER BY id) AS records FROM site_copies
       WHERE body IS NOT NULL GROUP BY section`,
    );
    return new Map(rows.map(({ section, records }) => [section, records]));
  }

  async store(section: string, id: string, record: ContentRecord | null, siteVersion: number): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO site_copies (section, id, body, site_version)
      VALUES (${section}, ${id}, ${record}, ${siteVersion})
      ON CONFLICT (section, id) DO UPDATE SET body = excluded.body, site_version = excluded.site_version
      WHERE site_copies.site_version < excluded.site_version`;
  }

  async deleteAllExcept(ids: readonly string[], siteVersion: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE site_copies SET body = NULL, site_version = ${siteVersion}
      WHERE body IS NOT NULL AND site_version < ${siteVersion} AND id <> ALL (${ids}::uuid[])`;
  }
}
