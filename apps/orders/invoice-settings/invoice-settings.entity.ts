import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InvoiceSettings } from '#libs/contracts';

/** The table has at most one row. */
@Entity('invoice_settings')
export class InvoiceSettingsEntity {
  @PrimaryColumn('integer')
  id = 1;

  @Column('integer')
  version = 1;

  @Column('jsonb')
  settings!: InvoiceSettings;

  /** Payments from this moment on get an invoice. */
  @Column('timestamptz', { name: 'issues_from' })
  issuesFrom!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
