import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ProjectReport } from '#libs/contracts';

type ReportDeliverable = ProjectReport['delivered'][number];
type DeliverableRow = Omit<ReportDeliverable, 'deliveredAt' | 'acceptedAt'> & {
  deliveredAt: Date;
  acceptedAt: Date | null;
};

const maxMonths = 24;
const maxDeliverables = 200;

/** Reads the tables of deliverables and files itself, because nothing else needs them in this form. */
@Injectable()
export class ReportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The newest `maxMonths` months (UTC, YYYY-MM) for which `listDeliverables` finds something, newest first. */
  async listMonths(projectId: string): Promise<string[]> {
    const rows = await this.dataSource.sql<{ month: string }[]>`
      SELECT DISTINCT to_char(delivered_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM deliverables
      WHERE project_id = ${projectId} AND state <> 'replaced' ORDER BY month DESC LIMIT ${maxMonths}`;
    return rows.map(({ month }) => month);
  }

  /** Oldest first. Leaves out deliverables with the state `replaced`, which withdrawn ones have as well. */
  async listDeliverables(projectId: string, month: string): Promise<ReportDeliverable[]> {
    const from = new Date(`${month}-01T00:00:00Z`);
    const to = new Date(from);
    to.setUTCMonth(to.getUTCMonth() + 1);
    const rows = await this.dataSource.sql<DeliverableRow[]>`
      SELECT text, state, links, delivered_at AS "deliveredAt",
        CASE WHEN state = 'accepted' THEN decided_at END AS "acceptedAt",
        (SELECT coalesce(array_agg(name ORDER BY project_files.id), '{}') FROM project_files
          WHERE attached_to = 'deliverable' AND attached_id = deliverables.id
            AND state = 'ready' AND deleted_at IS NULL) AS files
      FROM deliverables
      WHERE project_id = ${projectId} AND delivered_at >= ${from} AND delivered_at < ${to} AND state <> 'replaced'
      ORDER BY number LIMIT ${maxDeliverables}`;
    return rows.map(({ deliveredAt, acceptedAt, ...row }) => ({
      ...row,
      deliveredAt: deliveredAt.toISOString(),
      acceptedAt: acceptedAt?.toISOString() ?? null,
    }));
  }
}
