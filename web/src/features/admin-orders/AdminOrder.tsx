import { customerNameOf } from './customer-name.js';
import './admin-orders.css';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { formatOrderNumber, type Order, paymentProvider, type TimelineEntry } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { useTabTitle } from '../../lib/tab-title.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { Details } from '../../workspace/Details.js';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import { formatOrderDay } from '../../workspace/formats.js';
import { money } from '../../lib/money.js';
import { billingText } from '../../workspace/invoices/billing.js';
import { CorrectInvoice } from '../../workspace/invoices/CorrectInvoice.js';
import { OrderInvoices } from '../../workspace/invoices/OrderInvoices.js';
import { Loaded } from '../../workspace/Loaded.js';
import { StatusWord } from '../../workspace/orders/StatusWord.js';
import { Timeline } from '../../workspace/orders/Timeline.js';
import {
  flagSentences,
  orderStatusText,
  paymentStatusForAdmin,
  refundStatus,
  totalText,
} from '../../workspace/orders/words.js';
import { StaffNotes } from '../../workspace/StaffNotes.js';
import { type Query, useQuery, useSave } from '../../workspace/query.js';
import { When } from '../../workspace/When.js';
import { MailsAbout } from './MailsAbout.js';
import { OrderPayments } from './OrderPayments.js';
import { changeResultOf } from './change-result.js';
import { StatusForm } from './StatusForm.js';

const provider = paymentProvider.label;

export function AdminOrder({ renderProjects }: { renderProjects(orderId: string): ReactNode }) {
  const { id = '' } = useParams();
  const order = useQuery('GET /order/:id', { params: { id } });
  const timeline = useQuery('GET /order/:id/timeline', { params: { id } });
  return (
    <Loaded query={order}>
      {(data) => <LoadedOrder order={data} timeline={timeline} projects={renderProjects(data._id)} />}
    </Loaded>
  );
}

interface LoadedOrderProps {
  order: Order;
  timeline: Query<TimelineEntry[]>;
  projects: ReactNode;
}

function LoadedOrder({ order, timeline, projects }: LoadedOrderProps) {
  const orderAndVersion = { params: { id: order._id }, ifVersion: order.version };
  const title = `Order ${formatOrderNumber(order)}`;
  useTabTitle(title);
  return (
    <>
      <Flags order={order} />
      <div className="order-admin">
        <section className="panel order-admin__details" aria-labelledby="order-details">
          <h2 id="order-details">{title}</h2>
          <OrderDetails order={order} />
        </section>
        <div className="order-admin__side">
          <StatusForm
            title="Update Payment Status"
            label="Payment status"
            name="paymentStatus"
            current={order.paymentStatus}
            choices={['UnPaid', 'Paid']}
            hint={`Overrides ${provider}. We’ll flag the order if ${provider} later reports a different status.`}
            withReason
            save={(paymentStatus, reason) =>
              changeResultOf(
                callApi('PUT /order/:id', { ...orderAndVersion, body: { paymentStatus, reason } }),
                'PaymentStatus is Updated',
              )
            }
          />
          <StatusForm
            title="Update Order Status"
            label="Order status"
            name="orderStatus"
            current={order.orderStatus}
            choices={['Pending', 'Delivered']}
            save={(orderStatus) =>
              changeResultOf(
                callApi('PUT /order-status/:id', { ...orderAndVersion, body: { orderStatus } }),
                'OrderStatus is Updated',
              )
            }
          />
        </div>
        <div className="order-admin__rest">
          {projects}
          {order.payments.length > 0 && <OrderPayments order={order} overridden={isOverridden(timeline)} />}
          <OrderInvoices
            orderId={order._id}
            isAwaited={order.paymentStatus === 'Paid'}
            action={(invoice) => <CorrectInvoice invoice={invoice} />}
          />
          <Notes orderId={order._id} />
          <MailsAbout id={order._id} what="this order" />
          <section className="panel" aria-labelledby="order-timeline">
            <h2 id="order-timeline">Timeline</h2>
            <Timeline entries={timeline} />
          </section>
        </div>
      </div>
    </>
  );
}

/** Whether an admin has set the payment status. Undefined if the timeline, which has only the newest entries, cannot tell. */
function isOverridden({ data, loading, problem }: Query<TimelineEntry[]>): boolean | undefined {
  if (!data || loading || problem) return undefined;
  const has = (wanted: TimelineEntry['kind']) => data.some(({ kind }) => kind === wanted);
  if (has('payment_status_set')) return true;
  // A complete timeline begins with this entry.
  return has('placed') ? false : undefined;
}

function Notes({ orderId }: { orderId: string }) {
  const params = { id: orderId };
  return (
    <StaffNotes
      notes={useQuery('GET /order/:id/notes', { params })}
      subjectId={orderId}
      about="this order"
      add={(text, idempotencyKey) =>
        callApi('POST /order/:id/note', { params, body: { text }, idempotencyKey })
      }
    />
  );
}

function OrderDetails({ order }: { order: Order }) {
  const refund = refundStatus(order);
  return (
    <Details
      items={[
        ['Package', order.packageName],
        ['Price', money(order.packagePrice)],
        ['Total', Number(order.addedTax) > 0 ? totalText(order) : undefined],
        ['Payment status', <StatusWord status={paymentStatusForAdmin(order)} />],
        ['Order status', <StatusWord status={orderStatusText(order.orderStatus)} />],
        ['Payment method', provider],
        ['Customer', customerOf(order)],
        [
          'E-mail',
          order.customerEmail && <a href={`mailto:${order.customerEmail}`}>{order.customerEmail}</a>,
        ],
        ['Address', [order.customerAddress, order.customerCountry].filter(Boolean).join(', ')],
        ['Billing details', order.billingDetails ? billingText(order.billingDetails) : undefined],
        ['Monthly plan', planOf(order)],
        ['Order date', formatOrderDay(order.orderDate)],
        ['Placed', <When at={order.createdAt} time />],
        ['Order ID', order._id],
        ['Refund', refund && <StatusWord status={refund} />],
        ['Disputed', Number(order.disputed) > 0 ? money(order.disputed) : undefined],
      ]}
    />
  );
}

/** A deleted account has no profile. */
function customerOf(order: Order) {
  const { accountId, customerName, customerEmail } = order;
  if (!customerName || !accountId) return customerNameOf(order);
  return (
    <>
      <Link to={`/customer/${accountId}`}>{customerName}</Link>
      <DemoLabel email={customerEmail} />
    </>
  );
}

function planOf({ renewal, paymentStatus }: Order) {
  if (!renewal) return undefined;
  if (!renewal.subscriptionId)
    return paymentStatus === 'UnPaid' ? 'Starts with this order once it’s paid' : 'Not started';
  return <Link to={`/admin/monthly-plan/${renewal.subscriptionId}`}>Month {renewal.cycle}</Link>;
}

/** Cleared flags disappear here and stay in the timeline. */
function Flags({ order }: { order: Order }) {
  const { save, saving, problem } = useSave(() =>
    changeResultOf(
      callApi('POST /order/:id/flags-cleared', { params: { id: order._id }, ifVersion: order.version }),
      'Order marked as reviewed',
    ),
  );
  if (order.flags.length === 0) return null;
  return (
    <section className="order-flags" aria-labelledby="order-flags">
      <h2 id="order-flags">This order needs attention</h2>
      <ul>
        {order.flags.map((flag) => (
          <li key={flag}>{flagSentences[flag]}</li>
        ))}
      </ul>
      <FormProblem problem={problem} />
      <button
        className="button button--quiet"
        type="button"
        aria-disabled={saving}
        // The button is gone once the order is marked.
        onClick={() => void save().then(focusContentIfFocusIsLost)}
      >
        Mark as reviewed
      </button>
    </section>
  );
}
