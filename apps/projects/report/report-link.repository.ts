import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ReportLinkEntity } from './report-link.entity.js';

@Injectable()
export class ReportLinkRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The links that were not revoked, newest first. */
  list(projectId: string): Promise<ReportLinkEntity[]> {
    return this.dataSource.manager.find(ReportLinkEntity, {
      where: { projectId, revokedAt: IsNull() },
      order: { id: 'DESC' },
    });
  }

  count(tx: EntityManager, projectId: string): Promise<number> {
    return tx.countBy(ReportLinkEntity, { projectId, revokedAt: IsNull() });
  }

  async insert(tx: EntityManager, link: ReportLinkEntity): Promise<void> {
    await tx.insert(ReportLinkEntity, link);
  }

  /** Null if the link was revoked. */
  async replaceToken(tx: EntityManager, id: string, tokenHash: Buffer): Promise<ReportLinkEntity | null> {
    await tx.update(ReportLinkEntity, { id, revokedAt: IsNull() }, { tokenHash });
    return tx.findOneBy(ReportLinkEntity, { id, revokedAt: IsNull() });
  }

  /** False if the project has no such link, or the link was already revoked. */
  async revoke(tx: EntityManager, projectId: string, id: string, revokedAt: Date): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { affected } = await tx.update(
      ReportLinkEntity,
      { id, projectId, revokedAt: IsNull() },
      { revokedAt },
    );
    return affected === 1;
  }

  /** Revokes the links that the account `createdBy` made for projects of the customer `ownerId`. */
  async revokeCreatedBy(
    tx: EntityManager,
    { ownerId, createdBy }: { ownerId: string; createdBy: string },
    revokedAt: Date,
  ): Promise<void> {
    await tx.sql`
      UPDATE report_links SET revoked_at = ${revokedAt}
      WHERE created_by = ${createdBy} AND revoked_at IS NULL
        AND project_id IN (SELECT id FROM projects WHERE account_id = ${ownerId})`;
  }

  /** Stores when the link was opened. Undefined if it never existed, was revoked or has expired. */
  async open(tokenHash: Buffer, now: Date): Promise<{ projectId: string } | undefined> {
    const [[link]] = await this.dataSource.sql<[{ projectId: string }[], number]>`
      UPDATE report_links SET opened_at = ${now}
      WHERE token_hash = ${tokenHash} AND revoked_at IS NULL AND expires_at > ${now}
      RETURNING project_id AS "projectId"`;
    return link;
  }
}
