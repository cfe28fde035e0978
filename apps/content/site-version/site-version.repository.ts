import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Uses SQL instead of an entity, because the table has only one row. */
@Injectable()
export class SiteVersionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Makes this transaction the only one that changes content until it ends, and returns the site's version. Every change begins with this call. So
   * versions are assigned in the order of commits: a cache that has read version 7 has seen all changes up to 7. The records of a section can be
   * counted without another lock, and no two changes can deadlock. Admins save rarely, so each waits only milliseconds.
   */
  async lock(tx: EntityManager): Promise<number> {
    const [{ version }] = await tx.sql<[{ version: number }]>`SELECT version FROM site_version FOR UPDATE`;
    return version;
  }

  /** Returns the new version. The transaction must have called `lock` before. */
  async advance(tx: EntityManager): Promise<number> {
    const [[{ version }]] = await tx.sql<[[{ version: number }], number]>`
      UPDATE site_version SET version = version + 1 RETURNING version`;
    return version;
  }

  async current(): Promise<number> {
    const [{ version }] = await this.dataSource.sql<[{ version: number }]>`SELECT version FROM site_version`;
    return version;
  }
}
