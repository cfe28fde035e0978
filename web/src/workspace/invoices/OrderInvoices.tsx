import './invoices.css';
import { type ReactNode, useState } from 'react';
import type { Invoice } from '#libs/contracts';
import { formatDay } from '../formats.js';
import { useQuery } from '../query.js';
import { Failure } from '../Failure.js';
import { InvoicePdf, pdfPolling } from './InvoicePdf.js';
import { useSellerIssuesInvoices } from './seller-issues-invoices.js';
import { invoiceKinds, noteOf, signedAmount } from './words.js';

interface OrderInvoicesProps {
  orderId: string;
  /** The order has probably just been paid: its invoice then follows in a moment. */
  isAwaited?: boolean;
  action?(invoice: Invoice): ReactNode;
}

/** Renders nothing if the order has no invoices. Asks for them only if the seller issues invoices. */
export function OrderInvoices(props: OrderInvoicesProps) {
  const issuesInvoices = useSellerIssuesInvoices();
  // With the key, the wait begins when the order is paid, even if that happens on this screen.
  return issuesInvoices ? <InvoiceList key={String(props.isAwaited)} {...props} /> : null;
}

/** After this, a missing invoice is no longer awaited: orders that were paid before invoices were set up get none. */
const awaitedMs = 60_000;

function InvoiceList({ orderId, isAwaited = false, action }: OrderInvoicesProps) {
  const [awaitedUntil] = useState(() => Date.now() + awaitedMs);
  const invoices = useQuery(
    'GET /invoices',
    { query: { order: orderId } },
    {
      ...pdfPolling,
      while: (data) => (data.length === 0 ? isAwaited && Date.now() < awaitedUntil : pdfPolling.while(data)),
    },
  );
  // A poll that failed does not take away what was read before, nor a dialog that is open there.
  if (!invoices.data?.length) return <Failure query={invoices} />;
  return (
    <section className="panel" aria-labelledby="order-invoices">
      <h2 id="order-invoices">Invoices</h2>
      <ul className="order-invoices">
        {invoices.data.map((invoice) => (
          <li key={invoice._id}>
            <div>
              <p className="order-invoices__number">{invoice.number}</p>
              <p className="status-note">
                {[invoiceKinds[invoice.kind], noteOf(invoice), formatDay(invoice.issuedOn)]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
            <span className="order-invoices__gross">{signedAmount(invoice.gross, invoice)}</span>
            <span className="order-invoices__actions">
              {action?.(invoice)}
              <InvoicePdf invoice={invoice} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
