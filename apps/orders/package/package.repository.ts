import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

interface PackageRow {
  id: string;
  name: string;
  price: string;
  deleted: boolean;
}

/**
 * No entity: a row is overwritten only with content of a later site version. That version grows with each change of content, so changes may arrive
 * in any order and more than once.
 */
@Injectable()
export class PackageRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(name: string): Promise<{ name: string; price: string } | undefined> {
    // Content keeps names unique, but two packages can have one name here while a change is on its way.
    const [found] = await this.dataSource.sql<{ name: string; price: string }[]>`
      SELECT name, price FROM packages WHERE name = ${name} AND NOT deleted ORDER BY site_version DESC LIMIT 1`;
    return found;
  }

  async store({ id, name, price, deleted }: PackageRow, siteVersion: number): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO packages (id, name, price, deleted, site_version)
      VALUES (${id}, ${name}, ${price}, ${deleted}, ${siteVersion})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, price = excluded.price,
        deleted = excluded.deleted, site_version = excluded.site_version
      WHERE packages.site_version < excluded.site_version`;
  }

  async deleteAllExcept(ids: readonly string[], siteVersion: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE packages SET deleted = true, site_version = ${siteVersion}
      WHERE NOT deleted AND site_version < ${siteVersion} AND id <> ALL (${ids}::uuid[])`;
  }
}
