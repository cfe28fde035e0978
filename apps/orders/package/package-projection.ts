import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { ContentRecord } from '#libs/contracts';
import type { ContentCopy } from '#libs/transport';

const packageRecord = z.object({
  packageName: z.string(),
  packagePrice: z.string().regex(/^\d+(\.\d{1,2})?$/),
});

/** The packages as the content service has them, so that orders need not ask. A package without a name or a price cannot be ordered. */
@Injectable()
export class PackageProjection implements ContentCopy {
  readonly sections = ['pricingPackage'];

  constructor(private readonly dataSource: DataSource) {}

  async store(
    _section: string,
    id: string,
    record: ContentRecord | null,
    siteVersion: number,
  ): Promise<void> {
    const { packageName = '', packagePrice = '' } = packageRecord.safeParse(record).data ?? {};
    await this.dataSource.query(
      `INSERT INTO packages (id, name, price, deleted, site_version) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, price = excluded.price, deleted = excluded.deleted, site_version = excluded.site_version
       WHERE packages.site_version < excluded.site_version`,
      [id, packageName, packagePrice, packagePrice === '', siteVersion],
    );
  }

  async deleteOthers(ids: readonly string[], siteVersion: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE packages SET deleted = true, site_version = $1
       WHERE NOT deleted AND site_version < $1 AND id <> ALL ($2::uuid[])`,
      [siteVersion, ids],
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
}
