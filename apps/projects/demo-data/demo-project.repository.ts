import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { demoDomain } from '#libs/contracts';

const demoAddressPattern = `%@${demoDomain}`;

/** Deletes from the tables of other repositories, which have no methods for this, because projects are deleted nowhere else. */
@Injectable()
export class DemoProjectRepository {
  constructor(private readonly dataSource: DataSource) {}

  async listIds(manager: EntityManager = this.dataSource.manager): Promise<string[]> {
    const rows = await manager.sql<{ id: string }[]>`
      SELECT id FROM projects WHERE lower(customer_email) LIKE ${demoAddressPattern}`;
    return rows.map(({ id }) => id);
  }

  async delete(tx: EntityManager, ids: readonly string[]): Promise<void> {
    await tx.sql`DELETE FROM inbound_mails WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM report_links WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM project_files WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM readers WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM unread_checks WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM staff_entries WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM thread_entries WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM deliverables WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM briefs WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM project_assignees WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM project_orders WHERE project_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM projects WHERE id = ANY (${ids}::uuid[])`;
  }
}
