import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { InvoiceSettingsEntity } from './invoice-settings.entity.js';

/** The table `invoice_settings`. */
@Injectable()
export class InvoiceSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null before they are saved for the first time. */
  find(manager: EntityManager = this.dataSource.manager): Promise<InvoiceSettingsEntity | null> {
    return manager.findOneBy(InvoiceSettingsEntity, { id: 1 });
  }

  /** The same for a change: other changes wait until the transaction ends, also before the first one is stored. */
  async lock(tx: EntityManager): Promise<InvoiceSettingsEntity | null> {
    await tx.query('LOCK TABLE invoice_settings IN SHARE ROW EXCLUSIVE MODE');
    return this.find(tx);
  }

  async save(tx: EntityManager, settings: InvoiceSettingsEntity): Promise<void> {
    await tx.save(InvoiceSettingsEntity, settings);
  }
}
