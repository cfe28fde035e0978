import type { ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { formatOrderNumber, type Order, paymentProvider } from '#libs/contracts';
import { Ladder } from '../../components/Ladder.js';
import { useAccount } from '../../workspace/current-screen.js';
import { focusContent } from '../../workspace/focus-content.js';
import { isRecordId } from '../../lib/record-id.js';
import { ProjectLink } from '../../workspace/projects/ProjectLink.js';
import { OrderInvoices } from '../../workspace/invoices/OrderInvoices.js';
import { hasMoney, paymentStatusForCustomer } from '../../workspace/orders/words.js';
import { OrderLayout } from './OrderLayout.js';
import { NoSuchOrder } from './NoSuchOrder.js';
import { OrderDetails } from './OrderDetails.js';
import { type PaymentProgress, usePaymentProgress } from './payment-progress.js';

export function Component() {
  const { id } = useParams();
  return isRecordId(id) ? <PaymentResult key={id} id={id} /> : <NoSuchOrder />;
}

const provider = paymentProvider.label;
/** The provider may add a transaction id to the return address. */
const transactionIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

interface Texts {
  title: string;
  text: ReactNode;
  /** Without it, the link to the dashboard is the main one. */
  next?: ReactNode;
}

function PaymentResult({ id }: { id: string }) {
  const account = useAccount();
  const [search] = useSearchParams();
  const transactionId = search.get('tx') ?? '';
  const progress = usePaymentProgress(
    id,
    transactionIdPattern.test(transactionId) ? transactionId : undefined,
  );
  if (progress.problem?.status === 404) return <NoSuchOrder />;
  const isOwn = progress.order?.accountId === account.id;
  const { title, text, next } = textsOf(progress, id, isOwn);
  const isWaiting = progress.state === 'loading' || progress.state === 'confirming';
  return (
    <OrderLayout step="Confirmation" title={title} order={progress.order}>
      <div role="status" className="payment-progress">
        <p className="visually-hidden">{title}</p>
        <p className="lead">{text}</p>
        {progress.givenUp && isWaiting && (
          <p>
            This is taking longer than usual, so this page has stopped updating. You’ll see the result on your
            orders page. Don’t pay again.
          </p>
        )}
        {progress.problem && !progress.givenUp && (
          <p>{progress.problem.sentence} We’ll try again automatically.</p>
        )}
      </div>
      {isWaiting && !progress.givenUp && (
        <div className="order-layout__loading">
          <Ladder form="loading" />
        </div>
      )}
      {progress.order && <OrderDetails order={progress.order} />}
      {/* Only the customer waits for the project: a colleague who pays does not always have access to it. */}
      {progress.state === 'paid' && <ProjectLink paidBy={{ order: id }} isAwaited={isOwn} />}
      {progress.state === 'paid' && <OrderInvoices orderId={id} isAwaited />}
      <p className="buttons no-print">
        {next}
        {progress.givenUp && (
          <button
            className="button button--quiet"
            type="button"
            onClick={() => {
              progress.checkAgain();
              focusContent();
            }}
          >
            Check again
          </button>
        )}
        <Link className={next ? 'button button--quiet' : 'button'} to="/dashboard">
          Go to your dashboard
        </Link>
      </p>
    </OrderLayout>
  );
}

function textsOf({ state, order, givenUp }: PaymentProgress, id: string, isOwn: boolean): Texts {
  switch (state) {
    case 'loading':
    case 'confirming':
      return {
        title: 'Confirming your payment',
        text: givenUp
          ? `We’re still waiting for ${provider} to confirm it.`
          : `We’re waiting for ${provider} to confirm it. This usually takes less than a minute. This page updates automatically.`,
      };
    case 'paid':
      return {
        title: 'You Have Paid',
        text: paidText(order, isOwn),
        next: (
          <button className="button" type="button" onClick={() => window.print()}>
            Print receipt
          </button>
        ),
      };
    case 'pending':
      return {
        title: 'Payment pending',
        text: `${provider} has your payment and will tell us when it has cleared. A bank transfer takes a few working days. You don’t need to do anything.`,
      };
    case 'under_review':
      return {
        ...(order?.paymentState === 'disputed'
          ? { title: 'Your payment is disputed', text: paymentStatusForCustomer(order).note }
          : {
              title: 'Your payment is under review',
              text: 'We’re checking a payment for this order. Please don’t pay again; we’ll contact you if we need anything.',
            }),
        next: (
          <Link className="button" to="/contact">
            Contact us
          </Link>
        ),
      };
    case 'failed':
      return {
        title: 'The payment did not go through',
        text: `${provider} couldn’t complete it, and no money was taken. You can try again, for example with another card.`,
        next: order?.payable && <PayNowLink id={id} />,
      };
    case 'unpaid':
      return {
        title: 'No payment has arrived',
        text: `We haven’t received a payment for this order. If you’ve just paid, ${givenUp ? 'you’ll see it on your orders page' : 'this page will update'} when ${provider} confirms it.`,
        next: order?.payable && <PayNowLink id={id} />,
      };
    case 'cancelled':
      return {
        title: order ? paymentStatusForCustomer(order, isOwn).text : 'This order is cancelled',
        text: (order && paymentStatusForCustomer(order).note) ?? 'You don’t need to pay for it.',
        next: (
          <Link className="button" to={`/pay-now/${id}`}>
            See order
          </Link>
        ),
      };
  }
}

/** The provider is named only if it has confirmed money: an admin can mark an order as paid, too. */
function paidText(order: Order | undefined, isOwn: boolean): string {
  const orderName = order ? `order ${formatOrderNumber(order)}` : 'this order';
  const what =
    order && !hasMoney(order)
      ? `We’ve marked ${orderName} as paid.`
      : `${provider} has confirmed the payment for ${orderName}.`;
  const note = order && paymentStatusForCustomer(order).note;
  const renewalNote =
    order?.renewal?.cycle === 1 &&
    `The plan renews every month until ${isOwn ? 'you cancel' : `${order.customerName} cancels`} it.`;
  return [what, note ?? 'Thank you.', !note && renewalNote].filter(Boolean).join(' ');
}

function PayNowLink({ id }: { id: string }) {
  return (
    <Link className="button" to={`/pay-now/${id}`}>
      Pay Now
    </Link>
  );
}
