import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InvoiceSettings } from '#libs/contracts';

/** The only row of its table, written when the settings are saved for the first time. */
@Entity('invoice_settings')
export class InvoiceSettingsEntity {
  @PrimaryColumn('boolean')
  id = true;

  /** 1 at first, one more at each change. */
  @Column('integer')
  version!: number;

  @Column('jsonb')
  body!: InvoiceSettings;

  /** When it was written: what happens to orders from then on needs documents. */
  @Column('timestamptz', { name: 'issues_from' })
  issuesFrom!: Date;
}
