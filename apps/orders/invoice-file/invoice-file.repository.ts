import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { InvoiceDocument } from '#libs/contracts';

export interface LeasedFile {
  invoiceId: string;
  lease: string;
  /** How often rendering was tried, including this time. */
  tries: number;
}

/** `invoice_files` has no entity: its rows are never read as a whole. */
@Injectable()
export class InvoiceFileRepository {
  constructor(private readonly dataSource: DataSource) {}

  async requestRendering(tx: EntityManager, invoiceId: string): Promise<void> {
    await tx.sql`INSERT INTO invoice_files (invoice_id) VALUES (${invoiceId})`;
  }

  /** For a file that was rendered, and is now missing from the storage. */
  async requestRenderingAgain(tx: EntityManager, invoiceId: string): Promise<void> {
    await tx.sql`
      UPDATE invoice_files SET state = 'rendering', tries = 0, next_try_at = now(), lease = NULL, leased_until = NULL
      WHERE invoice_id = ${invoiceId} AND state = 'ready'`;
  }

  async findReadyIds(manager: EntityManager, ids: readonly string[]): Promise<Set<string>> {
    const rows = await manager.sql<{ id: string }[]>`
      SELECT invoice_id AS id FROM invoice_files WHERE invoice_id = ANY (${ids}::uuid[]) AND state = 'ready'`;
    return new Set(rows.map(({ id }) => id));
  }

  async lease(count: number, leaseMs: number): Promise<LeasedFile[]> {
    const [rows] = await this.dataSource.sql<[LeasedFile[], number]>`
      UPDATE invoice_files
      SET lease = ${randomUUID()}, leased_until = now() + ${leaseMs} * interval '1 ms', tries = tries + 1
      WHERE invoice_id IN (
        SELECT invoice_id FROM invoice_files
        WHERE state = 'rendering' AND next_try_at <= now() AND (leased_until IS NULL OR leased_until < now())
        ORDER BY next_try_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING invoice_id AS "invoiceId", lease, tries`;
    return rows;
  }

  async renew(files: readonly LeasedFile[], leaseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE invoice_files SET leased_until = now() + ${leaseMs} * interval '1 ms'
      WHERE lease = ANY (${files.map(({ lease }) => lease)}::uuid[])`;
  }

  async postpone({ invoiceId, lease }: LeasedFile, pauseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE invoice_files SET lease = NULL, leased_until = NULL, next_try_at = now() + ${pauseMs} * interval '1 ms'
      WHERE invoice_id = ${invoiceId} AND lease = ${lease}`;
  }

  async getDocument(invoiceId: string): Promise<InvoiceDocument> {
    const [row] = await this.dataSource.sql<{ document: InvoiceDocument }[]>`
      SELECT document FROM invoices WHERE id = ${invoiceId}`;
    return row!.document;
  }

  /** Does nothing if another process has the lease by now. */
  async finish({ invoiceId, lease }: LeasedFile): Promise<void> {
    await this.dataSource.sql`
      UPDATE invoice_files SET state = 'ready', lease = NULL, leased_until = NULL
      WHERE invoice_id = ${invoiceId} AND lease = ${lease}`;
  }
}
