import { useEffect, useRef, useState } from 'react';
import { type Order, type OrderRefunds, paymentProvider, type Refund } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { StatusWord } from '../../workspace/orders/StatusWord.js';
import { hasMoney, paymentText, type StatusText } from '../../workspace/orders/words.js';
import { useQuery, useRefetch } from '../../workspace/query.js';
import { Failure } from '../../workspace/Failure.js';
import { When } from '../../workspace/When.js';
import { RefundDialog, type RefundDialogProps } from './RefundDialog.js';

const provider = paymentProvider.label;

interface OrderPaymentsProps {
  order: Order;
  /** Whether an admin has set the payment status, so that refunds do not change it. Undefined if that is not known. */
  overridden: boolean | undefined;
}

export function OrderPayments({ order, overridden }: OrderPaymentsProps) {
  const refunds = useRefunds(order._id);
  const [txnIdToRefund, setTxnIdToRefund] = useState<string>();
  // Looked up on each render, so that an open dialog shows what can be refunded now.
  const refundablePayment = refunds.data?.refundable.find(({ txnId }) => txnId === txnIdToRefund);
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpen = txnIdToRefund !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const title = heading.current;
    // When nothing is left to refund, the button that opened the dialog is gone and cannot get the focus back.
    return () => {
      if (document.activeElement === document.body) title?.focus();
    };
  }, [isOpen]);

  function fullRefundCancelsOrder(txnId: string): RefundDialogProps['fullRefundCancelsOrder'] {
    const others = order.payments.filter((payment) => payment.txnId !== txnId);
    if (overridden || order.paymentStatus !== 'Paid' || hasMoney({ payments: others })) return false;
    // If another payment is pending, a full refund makes the order UnPaid. But it becomes Cancelled if a payment is disputed, even in part, or if a
    // person has cancelled the order.
    const isPending = others.some(({ state }) => state === 'pending');
    if (isPending && Number(order.disputed) === 0 && !order.cancelledBy) return false;
    return overridden === undefined ? 'unless_overridden' : true;
  }

  return (
    <section className="panel" aria-labelledby="order-payments">
      <h2 id="order-payments" ref={heading} tabIndex={-1}>
        Payments
      </h2>
      <Failure query={refunds} />
      <ul className="order-payments">
        {order.payments.map((payment) => (
          <li key={payment.txnId}>
            <div>
              <p>{paymentText(payment)}</p>
              <p className="status-note" id={`payment-${payment.txnId}`}>
                Transaction {payment.txnId}
              </p>
            </div>
            {refunds.data && (
              <RefundAction payment={payment} refunds={refunds.data} openDialog={setTxnIdToRefund} />
            )}
          </li>
        ))}
      </ul>
      {refunds.data && refunds.data.refunds.length > 0 && <Refunds refunds={refunds.data.refunds} />}
      {txnIdToRefund && (
        <RefundDialog
          order={order}
          payment={refundablePayment ?? { txnId: txnIdToRefund, amount: '0.00' }}
          fullRefundCancelsOrder={fullRefundCancelsOrder(txnIdToRefund)}
          close={() => setTxnIdToRefund(undefined)}
        />
      )}
    </section>
  );
}

const pollMs = 1_500;

const isUnanswered = ({ state }: Refund) => state === 'requested';

/** Polls until the provider has answered every refund request. Each new answer makes the whole screen load again. */
function useRefunds(id: string) {
  const refetch = useRefetch();
  const refunds = useQuery(
    'GET /order/:id/refunds',
    { params: { id } },
    { everyMs: pollMs, while: (data) => data.refunds.some(isUnanswered) },
  );
  const answeredCount = refunds.data?.refunds.filter((refund) => !isUnanswered(refund)).length;
  const previousCount = useRef(answeredCount);
  useEffect(() => {
    const before = previousCount.current;
    if (before !== undefined && answeredCount !== undefined && answeredCount > before) void refetch();
    previousCount.current = answeredCount;
  }, [answeredCount, refetch]);
  return refunds;
}

interface RefundActionProps {
  payment: Order['payments'][number];
  refunds: OrderRefunds;
  openDialog(txnId: string): void;
}

function RefundAction({ payment, refunds: { refundable, refunds }, openDialog }: RefundActionProps) {
  if (refundable.some(({ txnId }) => txnId === payment.txnId)) {
    return (
      <button
        className="button button--quiet"
        type="button"
        aria-describedby={`payment-${payment.txnId}`}
        onClick={() => openDialog(payment.txnId)}
      >
        Refund
      </button>
    );
  }
  const isRequested = refunds.some((refund) => isUnanswered(refund) && refund.txnId === payment.txnId);
  if (isRequested || !hasMoney({ payments: [payment] })) return null;
  return <p className="status-note">Refund this payment at {provider}. The order is then updated.</p>;
}

const refundStates: Record<Refund['state'], StatusText> = {
  requested: { tone: 'waiting', text: 'Requested', note: `Waiting for ${provider}’s answer.` },
  accepted: { tone: 'good', text: `Accepted by ${provider}` },
  refused: { tone: 'fault', text: `Refused by ${provider}` },
};

function Refunds({ refunds }: { refunds: Refund[] }) {
  return (
    <>
      <h3 id="order-refunds">Refunds</h3>
      <ul className="order-payments" aria-labelledby="order-refunds" aria-live="polite">
        {refunds.map(({ _id, amount, state, problem, reason, requestedBy, requestedAt }) => (
          <li key={_id}>
            <div>
              <p>
                {money(amount)}: {reason}
              </p>
              <p className="status-note">
                <When at={requestedAt} time /> · {requestedBy}
              </p>
            </div>
            <div className="order-payments__state">
              <StatusWord status={{ ...refundStates[state], ...(problem !== null && { note: problem }) }} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
