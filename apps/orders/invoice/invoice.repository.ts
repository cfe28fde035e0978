import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { HandlerInput, invoiceContract, PageOf } from '#libs/contracts';
import { newestFirst, RecordLists } from '#libs/database';
import type { InvoiceSeries } from './invoice-number.js';
import { InvoiceEntity } from './invoice.entity.js';

export type InvoiceSelection = Omit<HandlerInput<typeof invoiceContract.listInvoices>, 'own' | 'customer'> & {
  accountIds?: readonly string[];
};

export interface TakenNumber {
  year: number;
  sequence: number;
  /** YYYY-MM-DD. */
  issuedOn: string;
}

/** A search reads every document. A million take less than a second, so the default time limit suffices. */
const searchBounds = { advice: 'Enter more of the number, name or e-mail address, or choose a period.' };

/** `invoice_series` has no entity: taking a number has to be a single statement. */
@Injectable()
export class InvoiceRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lists: RecordLists,
  ) {}

  /**
   * The next number of the series in the year of `today`. Other transactions that take a number of this series wait until this transaction ends, so
   * take it as late as possible. `issuedOn` is never before that of the previous number.
   */
  async takeNumber(tx: EntityManager, series: InvoiceSeries, today: string): Promise<TakenNumber> {
    const [row] = await tx.sql<TakenNumber[]>`
      INSERT INTO invoice_series AS known (series, year, last, last_issued_on)
      VALUES (${series}, extract(year FROM ${today}::date), 1, ${today}::date)
      ON CONFLICT (series, year) DO UPDATE
      SET last = known.last + 1, last_issued_on = greatest(known.last_issued_on, excluded.last_issued_on)
      RETURNING year, last AS sequence, last_issued_on::text AS "issuedOn"`;
    return row!;
  }

  async insert(tx: EntityManager, invoice: InvoiceEntity): Promise<void> {
    await tx.insert(InvoiceEntity, invoice as object);
  }

  async find(id: string, manager = this.dataSource.manager): Promise<InvoiceEntity | null> {
    return isUuid(id) ? manager.findOneBy(InvoiceEntity, { id }) : null;
  }

  listOfOrder(manager: EntityManager, orderId: string): Promise<InvoiceEntity[]> {
    return manager.find(InvoiceEntity, { where: { orderId }, order: { issuedAt: 'ASC', id: 'ASC' } });
  }

  /** The amount of each of these invoices that credit notes have taken back; none for an invoice without a credit note. */
  async findCreditedCents(manager: EntityManager, ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await manager.sql<{ id: string; cents: number }[]>`
      SELECT cites_id AS id, sum(gross_cents)::float8 AS cents FROM invoices
      WHERE cites_id = ANY (${ids}::uuid[]) AND kind = 'credit_note' GROUP BY cites_id`;
    return new Map(rows.map(({ id, cents }) => [id, cents]));
  }

  list({
    accountIds,
    kind,
    from,
    to,
    order: orderId,
    direction,
    ...request
  }: InvoiceSelection): Promise<PageOf<InvoiceEntity>> {
    return this.lists.page(InvoiceEntity, request, {
      order: { ...newestFirst, by: 'issuedAt', direction },
      searched: ['searchText'],
      bounds: searchBounds,
      filter: (records) => {
        if (accountIds) records.andWhere({ accountId: In(accountIds) });
        if (kind !== undefined) records.andWhere({ kind });
        if (orderId !== undefined) records.andWhere({ orderId });
        if (from !== undefined) records.andWhere('record.issuedOn >= :from', { from });
        if (to !== undefined) records.andWhere('record.issuedOn <= :to', { to });
      },
    });
  }
}
