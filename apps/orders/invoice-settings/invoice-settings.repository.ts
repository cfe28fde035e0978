import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { InvoiceKind } from '#libs/contracts';
import { InvoiceSettingsEntity } from './invoice-settings.entity.js';

type Lock = 'pessimistic_read' | 'pessimistic_write';

/** The table `invoice_settings`. */
@Injectable()
export class InvoiceSettingsRepository {
  /** Null before they are saved for the first time. A lock lasts until the transaction ends. */
  find(manager: EntityManager, lock?: Lock): Promise<InvoiceSettingsEntity | null> {
    return manager.findOne(InvoiceSettingsEntity, {
      where: { id: true },
      ...(lock && { lock: { mode: lock } }),
    });
  }

  /** False if somebody else has just saved the first ones. */
  async insert(tx: EntityManager, { version, body, issuesFrom }: InvoiceSettingsEntity): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      INSERT INTO invoice_settings (version, body, issues_from)
      VALUES (${version}, ${JSON.stringify(body)}::jsonb, ${issuesFrom}) ON CONFLICT DO NOTHING RETURNING 1`;
    return rows.length > 0;
  }

  async update(tx: EntityManager, change: Pick<InvoiceSettingsEntity, 'version' | 'body'>): Promise<void> {
    await tx.update(InvoiceSettingsEntity, { id: true }, change as object);
  }

  /** Whether a document of this kind has a number with this prefix, in any letter case. */
  async isPrefixOf(tx: EntityManager, kind: InvoiceKind, prefix: string): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      SELECT 1 FROM invoices
      WHERE kind = ${kind} AND regexp_replace(lower(number), '[0-9].*$', '') = lower(${prefix}::text) LIMIT 1`;
    return rows.length > 0;
  }
}
