import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { InvoiceKind } from '#libs/contracts';
import { InvoiceSettingsEntity } from './invoice-settings.entity.js';

@Injectable()
export class InvoiceSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null before the settings are saved for the first time. */
  find(manager: EntityManager = this.dataSource.manager): Promise<InvoiceSettingsEntity | null> {
    return manager.findOneBy(InvoiceSettingsEntity, { id: 1 });
  }

  /** A shared lock, for issuing a document: changes wait until the transaction ends, other documents do not. */
  lockForDocument(tx: EntityManager): Promise<InvoiceSettingsEntity | null> {
    return tx.findOne(InvoiceSettingsEntity, { where: { id: 1 }, lock: { mode: 'pessimistic_read' } });
  }

  /** Documents and other changes wait until the transaction ends. The table lock makes changes wait even before there is a row. */
  async lockForChange(tx: EntityManager): Promise<InvoiceSettingsEntity | null> {
    await tx.query('LOCK TABLE invoice_settings IN SHARE ROW EXCLUSIVE MODE');
    return tx.findOne(InvoiceSettingsEntity, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } });
  }

  async save(tx: EntityManager, settings: InvoiceSettingsEntity): Promise<void> {
    await tx.save(InvoiceSettingsEntity, settings);
  }

  /** Ignores letter case. A document's prefix is the part of its number before the first digit. */
  async isAnyPrefixUsed(tx: EntityManager, kind: InvoiceKind, prefixes: readonly string[]): Promise<boolean> {
    const searched = prefixes.map((prefix) => prefix.toLowerCase());
    const rows = await tx.sql<unknown[]>`
      SELECT 1 FROM invoices
      WHERE kind = ${kind} AND regexp_replace(lower(number), '[0-9].*$', '') = ANY (${searched}::text[]) LIMIT 1`;
    return rows.length > 0;
  }
}
