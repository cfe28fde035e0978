import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { Account, Order, TimelineEntry } from '#libs/contracts';
import { Waiting } from '../../components/Waiting.js';
import { isRecordId } from '../../lib/record-id.js';
import { useAccount } from '../../workspace/current-screen.js';
import { Failure } from '../../workspace/Failure.js';
import { OrderInvoices } from '../../workspace/invoices/OrderInvoices.js';
import { Timeline } from '../../workspace/orders/Timeline.js';
import { paymentStatusForCustomer } from '../../workspace/orders/words.js';
import { ProjectLink } from '../../workspace/projects/ProjectLink.js';
import { type Query, useQuery } from '../../workspace/query.js';
import { OrderLayout } from './OrderLayout.js';
import { NoSuchOrder } from './NoSuchOrder.js';
import { OrderAgainButton } from './OrderAgainButton.js';
import { OrderDetails } from './OrderDetails.js';
import { PayNowForm } from './PayNowForm.js';

export function Component() {
  const account = useAccount();
  const { id } = useParams();
  const request = isRecordId(id) ? { params: { id } } : null;
  const order = useQuery('GET /order/:id', request);
  const timeline = useQuery('GET /order/:id/timeline', request);
  // An order that starts a plan may have been placed when the site used another payment provider. The present one may not offer plans.
  const renewalOffer = useQuery(
    'GET /plan-subscriptions/offer',
    order.data?.renewal?.subscriptionId === null ? {} : null,
  );
  if (request === null || order.problem?.status === 404) return <NoSuchOrder />;
  if (order.problem) {
    return (
      <OrderLayout step="Pay" title="Pay Now">
        <Failure query={order} />
      </OrderLayout>
    );
  }
  if (!order.data || renewalOffer.loading) return <Waiting />;
  const aside = <OrderActivity entries={timeline} />;
  // Customers can read only orders that they have the right to pay; admins can read all orders.
  const mayPay = account.role === 'Customer' || order.data.accountId === account.id;
  if (order.data.payable && mayPay) {
    const cannotRenew = renewalOffer.data?.available === false;
    const shownOrder = cannotRenew ? { ...order.data, renewal: null } : order.data;
    return (
      <OrderLayout
        step="Pay"
        title="Pay Now"
        order={shownOrder}
        aside={aside}
        lead={cannotRenew && 'Monthly plans aren’t available at the moment. You pay for one month only.'}
      >
        <OrderDetails order={shownOrder} />
        <PayNowForm order={shownOrder} isOwn={shownOrder.accountId === account.id} onChanged={order.retry} />
      </OrderLayout>
    );
  }
  return <CannotPay order={order.data} account={account} aside={aside} />;
}

function OrderActivity({ entries }: { entries: Query<TimelineEntry[]> }) {
  return (
    <>
      <h2>Order activity</h2>
      <Timeline entries={entries} />
    </>
  );
}

interface CannotPayProps {
  order: Order;
  account: Account;
  aside: ReactNode;
}

function CannotPay({ order, account, aside }: CannotPayProps) {
  if (order.payable) {
    return (
      <OrderLayout step="Pay" title="Someone else’s order" order={order} aside={aside}>
        <p>Only {order.customerName}, or a colleague whom they have invited to pay, can pay this order.</p>
        <OrderDetails order={order} />
        <p className="buttons">
          <Link className="button" to={`/admin/payment-status/${order._id}`}>
            Update Order
          </Link>
        </p>
      </OrderLayout>
    );
  }
  const { text, note } = paymentStatusForCustomer(order, order.accountId === account.id);
  const paid = order.paymentStatus === 'Paid';
  const nothingToPayNote = order.paymentStatus === 'Cancelled' && 'You don’t need to pay for this order.';
  return (
    <OrderLayout
      step={paid ? 'Confirmation' : 'Pay'}
      title={text}
      order={order}
      lead={[note, nothingToPayNote].filter(Boolean).join(' ')}
      aside={aside}
    >
      <OrderDetails order={order} />
      {paid && <ProjectLink paidBy={{ order: order._id }} />}
      <OrderInvoices orderId={order._id} />
      <p className="buttons no-print">
        {paid && (
          <button className="button" type="button" onClick={() => window.print()}>
            Print receipt
          </button>
        )}
        {order.paymentStatus === 'Cancelled' && order.accountId === account.id && (
          <OrderAgainButton order={order} account={account} />
        )}
        <Link className="button button--quiet" to="/my-order">
          My orders
        </Link>
      </p>
    </OrderLayout>
  );
}
