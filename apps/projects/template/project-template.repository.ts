import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ProjectTemplateEntity } from './project-template.entity.js';

@Injectable()
export class ProjectTemplateRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null for a package without a template, and for a malformed id. */
  async newest(
    packageId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProjectTemplateEntity | null> {
    if (!isUuid(packageId)) return null;
    return manager.findOne(ProjectTemplateEntity, { where: { packageId }, order: { version: 'DESC' } });
  }

  /**
   * If several packages have had this name, chooses the one whose template was saved most recently under this name. Returns the newest version of
   * that template, even if the package has been renamed since.
   */
  async newestOfPackageNamed(packageName: string): Promise<ProjectTemplateEntity | null> {
    const named = await this.dataSource.manager.findOne(ProjectTemplateEntity, {
      where: { packageName },
      order: { createdAt: 'DESC' },
    });
    return named && this.newest(named.packageId);
  }

  find(
    packageId: string,
    version: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProjectTemplateEntity | null> {
    return manager.findOneBy(ProjectTemplateEntity, { packageId, version });
  }

  newestOfEachPackage(): Promise<ProjectTemplateEntity[]> {
    return this.dataSource.manager
      .createQueryBuilder(ProjectTemplateEntity, 't')
      .distinctOn(['t.packageId'])
      .orderBy('t.packageId')
      .addOrderBy('t.version', 'DESC')
      .getMany();
  }

  /** Like `newest`, but other changes of the template wait until the transaction ends, even while there is no version yet. */
  async lock(tx: EntityManager, packageId: string): Promise<ProjectTemplateEntity | null> {
    if (!isUuid(packageId)) return null;
    await tx.sql`SELECT pg_advisory_xact_lock(hashtextextended(${`template of ${packageId}`}, 0))`;
    return this.newest(packageId, tx);
  }

  async insert(tx: EntityManager, template: ProjectTemplateEntity): Promise<void> {
    await tx.insert(ProjectTemplateEntity, template as object);
  }

  /** By package, how many projects in these states began with an earlier version than the newest, or without a template. */
  async countProjectsOfEarlierVersions(
    states: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, number>> {
    const rows = await manager.sql<{ packageId: string; count: number }[]>`
      SELECT p.package_id AS "packageId", count(*)::int AS count
      FROM projects p JOIN (
        SELECT package_id, max(version) AS version FROM project_templates GROUP BY package_id) t
        ON t.package_id = p.package_id
      WHERE p.state = ANY (${states}::text[]) AND coalesce(p.template_version, 0) < t.version
      GROUP BY p.package_id`;
    return new Map(rows.map(({ packageId, count }) => [packageId, count]));
  }
}
