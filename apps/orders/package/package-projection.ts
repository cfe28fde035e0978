import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { ContentRecord, contentChanged, EventPayload, SiteContentSnapshot } from '#libs/contracts';

/** The section of the site's content that this service sells from. */
const packageSection = 'pricingPackage';

const packageRecord = z.object({
  packageName: z.string(),
  packagePrice: z.string().regex(/^\d+(\.\d{1,2})?$/),
});

interface PackageRow {
  id: string;
  name: string;
  price: string;
  deleted: boolean;
}

/**
 * The packages as content has them, so that orders need not ask. Every row knows the version of the site it comes from, which grows with each change
 * of content: news may come in any order and more than once.
 */
@Injectable()
export class PackageProjection {
  constructor(private readonly dataSource: DataSource) {}

  /** Takes in one change. Of other sections it knows nothing. */
  async follow({ section, id, record, siteVersion }: EventPayload<typeof contentChanged>): Promise<void> {
    if (section !== packageSection) return;
    await this.store([record ? rowOf(record) : gone(id)], siteVersion);
  }

  /** Takes in the whole site at one version: packages that are not in it were deleted before. */
  async takeIn({ version, sections }: SiteContentSnapshot): Promise<void> {
    const rows = (sections[packageSection] ?? []).map(rowOf);
    await this.store(rows, version);
    await this.dataSource.query(
      `UPDATE packages SET deleted = true, site_version = $1
       WHERE NOT deleted AND site_version < $1 AND id <> ALL ($2::uuid[])`,
      [version, rows.map(({ id }) => id)],
    );
  }

  /** What is for sale under this very name. */
  async find(name: string): Promise<{ name: string; price: string } | undefined> {
    // Content keeps names unique, but while news is under way two packages may bear one for a moment.
    const [found] = await this.dataSource.query<{ name: string; price: string }[]>(
      `SELECT name, price FROM packages WHERE name = $1 AND NOT deleted ORDER BY site_version DESC LIMIT 1`,
      [name],
    );
    return found;
  }

  private async store(rows: PackageRow[], siteVersion: number): Promise<void> {
    for (const { id, name, price, deleted } of rows) {
      await this.dataSource.query(
        `INSERT INTO packages (id, name, price, deleted, site_version) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, price = excluded.price, deleted = excluded.deleted, site_version = excluded.site_version
         WHERE packages.site_version < excluded.site_version`,
        [id, name, price, deleted, siteVersion],
      );
    }
  }
}

function rowOf(record: ContentRecord): PackageRow {
  const parsed = packageRecord.safeParse(record);
  // Nobody can order what has no name or price.
  if (!parsed.success) return gone(record._id);
  const { packageName: name, packagePrice: price } = parsed.data;
  return { id: record._id, name, price, deleted: false };
}

function gone(id: string): PackageRow {
  return { id, name: '', price: '', deleted: true };
}
