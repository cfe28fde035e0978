import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { type Account, errorSentences, formatOrderNumber, type Order } from '#libs/contracts';
import { Ladder } from '../../components/Ladder.js';
import { callApi, type Problem } from '../../lib/api.js';
import { isRecordId } from '../../lib/record-id.js';
import { useAccount } from '../../workspace/current-screen.js';
import { Failure } from '../../workspace/Failure.js';
import { moneyNote, paymentStatusForCustomer } from '../../workspace/orders/words.js';
import { OrderLayout } from './OrderLayout.js';
import { NoSuchOrder } from './NoSuchOrder.js';

/** As the specification says. */
const redirectDelayMs = 1500;

export function Component() {
  const { id } = useParams();
  return isRecordId(id) ? <Cancelling key={id} id={id} /> : <NoSuchOrder />;
}

function Cancelling({ id }: { id: string }) {
  const account = useAccount();
  const { endedOrder, problem, retry } = useCancellation(id);
  const home = account.role === 'Admin' ? '/admin' : '/dashboard';
  const isOwnCancellation = endedOrder !== undefined && countsAsOwnCancellation(endedOrder, account);
  useDelayedRedirect(isOwnCancellation, home);
  if (problem) return <NotCancelled id={id} problem={problem} retry={retry} />;
  if (endedOrder && !isOwnCancellation) return <EndedInAnotherWay order={endedOrder} />;
  return (
    <OrderLayout
      step="Pay"
      title={endedOrder ? 'You have cancelled the payment' : 'Cancelling the payment'}
      order={endedOrder}
    >
      {!endedOrder && (
        <div className="order-layout__loading">
          <Ladder form="loading" />
        </div>
      )}
      <p role="status" className="lead">
        {endedOrder ? (
          <>
            <span className="visually-hidden">You have cancelled the payment. </span>
            Order {formatOrderNumber(endedOrder)} is cancelled. {moneyNote(endedOrder)} You can order this
            plan again at any time.
          </>
        ) : (
          'One moment.'
        )}
      </p>
      {endedOrder && (
        <p className="buttons">
          <Link className="button button--quiet" to={home} replace>
            Continue
          </Link>
        </p>
      )}
    </OrderLayout>
  );
}

/** For an admin, every cancellation counts as their own; for a customer, one by an admin does not. A refund or dispute is not a cancellation. */
function countsAsOwnCancellation({ paymentState, cancelledBy }: Order, { role }: Account): boolean {
  return paymentState === 'cancelled' && (cancelledBy !== 'admin' || role === 'Admin');
}

/** By an admin’s cancellation, a refund or a dispute. */
function EndedInAnotherWay({ order }: { order: Order }) {
  const { text, note } = paymentStatusForCustomer(order);
  return (
    <OrderLayout step="Pay" title={text} order={order} lead={note}>
      <p className="buttons">
        <Link className="button" to={`/pay-now/${order._id}`}>
          See order
        </Link>
      </p>
    </OrderLayout>
  );
}

/** Cancels the order when the screen opens. */
function useCancellation(id: string) {
  const { data, error, mutate } = useMutation<Order, Problem>({
    async mutationFn() {
      const body = { paymentStatus: 'Cancelled' } as const;
      const answer = await callApi('PUT /order-cancelled/:id', { params: { id }, body });
      if (!answer.ok) throw answer.problem;
      return answer.value;
    },
  });
  useEffect(() => mutate(), [mutate]);
  return { endedOrder: data, problem: error, retry: () => mutate() };
}

function useDelayedRedirect(isEnabled: boolean, to: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isEnabled) return;
    const timer = setTimeout(() => void navigate(to, { replace: true }), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [isEnabled, navigate, to]);
}

const notCancelledTitle = 'The order wasn’t cancelled';

/** Undefined if trying again may help. */
function refusalTexts({ code, sentence }: Problem): { title: string; lead: string } | undefined {
  switch (code) {
    case 'ALREADY_PAID':
      // A payment that is being confirmed has the same code but another sentence, because the order is not paid yet.
      return sentence === errorSentences.ALREADY_PAID
        ? { title: 'You Have Paid', lead: 'This order is paid, so it wasn’t cancelled.' }
        : { title: notCancelledTitle, lead: sentence };
    // The order of a monthly plan: the sentence says to cancel the plan instead.
    case 'INVALID_TRANSITION':
      return { title: notCancelledTitle, lead: sentence };
    case 'FORBIDDEN':
      return {
        title: notCancelledTitle,
        lead: 'Only the person who placed the order can cancel it. The order shows whether there is anything left to pay.',
      };
    case undefined:
    default:
      return undefined;
  }
}

function NotCancelled({ id, problem, retry }: { id: string; problem: Problem; retry(): void }) {
  if (problem.status === 404) return <NoSuchOrder />;
  const texts = refusalTexts(problem);
  if (texts)
    return (
      <OrderLayout step="Pay" {...texts}>
        <p className="buttons">
          <Link className="button" to={`/pay-now/${id}`}>
            See order
          </Link>
        </p>
      </OrderLayout>
    );
  return (
    <OrderLayout step="Pay" title={notCancelledTitle}>
      <Failure what="Payment update failed" query={{ problem, retry }} />
    </OrderLayout>
  );
}
