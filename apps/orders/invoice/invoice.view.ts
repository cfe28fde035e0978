import type { Invoice } from '#libs/contracts';
import { dollarsOf } from '../money/price.js';
import type { InvoiceEntity } from './invoice.entity.js';

export function invoiceView(
  { id, orderId, accountId, citesId, issuedAt, document }: InvoiceEntity,
  { creditedCents, vatIdState, file }: Pick<Invoice, 'vatIdState' | 'file'> & { creditedCents: number },
): Invoice {
  const { number, kind, cause, issuedOn, buyer, order, currency, cites } = document;
  const openCents = kind === 'invoice' ? document.grossCents - creditedCents : 0;
  return {
    ...{ _id: id, number, kind, cause, issuedOn, orderId, orderNumber: order.number, accountId },
    ...{ buyerName: buyer.company || buyer.name, buyerCountry: buyer.countryCode, buyer, currency },
    net: dollarsOf(document.netCents),
    tax: dollarsOf(document.taxCents),
    gross: dollarsOf(document.grossCents),
    ...{ taxCategory: document.tax.category, taxRate: document.tax.rate, open: dollarsOf(openCents) },
    cites: citesId && cites ? { _id: citesId, number: cites.number } : null,
    vatIdState,
    file,
    createdAt: issuedAt.toISOString(),
  };
}
