import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

interface PackageRow {
  id: string;
  name: string;
  price: string;
  deleted: boolean;
}

/**
 * The table `packages`. It has no entity, because an entity could not be saved with the condition that a row is only overwritten by a later version
 * of the site. That version grows with each change of content, so changes may arrive in any order and more than once.
 */
@Injectable()
export class PackageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The package on offer under exactly this name. */
  async find(name: string): Promise<{ name: string; price: string } | undefined> {
    // Content keeps names unique, but two packages can have one name here while a change is on its way.
    const [found] = await this.dataSource.sql<{ name: string; price: string }[]>`
      SELECT name, price FROM packages WHERE name = ${name} AND NOT deleted ORDER BY site_version DESC LIMIT 1`;
    return found;
  }

  /** Stores the package, or its deletion, unless the row has this version of the site or a later one. */
  async store({ id, name, price, deleted }: PackageRow, siteVersion: number): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO packages (id, name, price, deleted, site_version)
      VALUES (${id}, ${name}, ${price}, ${deleted}, ${siteVersion})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, price = excluded.price,
        deleted = excluded.deleted, site_version = excluded.site_version
      WHERE packages.site_version < excluded.site_version`;
  }

  /** Marks the packages that are not in this version of the site as deleted. */
  async deleteAllExcept(ids: readonly string[], siteVersion: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE packages SET deleted = true, site_version = ${siteVersion}
      WHERE NOT deleted AND site_version < ${siteVersion} AND id <> ALL (${ids}::uuid[])`;
  }
}
