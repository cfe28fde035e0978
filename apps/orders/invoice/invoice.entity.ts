import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InvoiceDocument, InvoiceKind } from '#libs/contracts';
import { safeInteger } from '#libs/database';
import { cents } from '../money/cents.js';
import type { InvoiceSeries } from './invoice-number.js';

const generated = { insert: false, update: false } as const;

/** A document. The database refuses to change it, and to delete it unless it belongs to a demo customer. */
@Entity('invoices')
export class InvoiceEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  series!: InvoiceSeries;

  @Column('integer')
  year!: number;

  /** Without a gap in its series and year. */
  @Column('integer')
  sequence!: number;

  /** YYYY-MM-DD in the seller's time zone, by the billing clock. Never before the day of the series' previous document in the same year. */
  @Column('date', { name: 'issued_on' })
  issuedOn!: string;

  /** By the real clock. */
  @Column('timestamptz', { name: 'issued_at' })
  issuedAt!: Date;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Null for the two documents of a correction. */
  @Column({ type: 'bigint', name: 'task_id', nullable: true, transformer: safeInteger })
  taskId!: number | null;

  /** Of a credit note: the invoice that it refers to. Of an invoice after a correction or a dispute: the invoice that it replaces. */
  @Column('uuid', { name: 'cites_id', nullable: true })
  citesId!: string | null;

  @Column('jsonb')
  document!: InvoiceDocument;

  /** The database generates this and the following columns from the document. */
  @Column({ type: 'text', ...generated })
  kind!: InvoiceKind;

  @Column('bigint', { name: 'gross_cents', transformer: cents, ...generated })
  grossCents!: number;

  @Column('text', { name: 'search_text', select: false, ...generated })
  searchText!: string;
}
