import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { type Account, formatOrderNumber, type Order } from '#libs/contracts';
import type { Problem } from '../../lib/api.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import { money } from '../../lib/money.js';
import { customerDetailsOf } from './order-draft.js';
import { useOrderKey } from './order-key.js';
import { type Offer, findChangedOffer, placeOrder } from './place-order.js';

interface OrderAgainButtonProps {
  order: Order;
  account: Account;
  /** For rows of a table. */
  small?: boolean;
}

/** Places the same order again with one click. Asks first only if the price has changed. */
export function OrderAgainButton({ order, account, small = false }: OrderAgainButtonProps) {
  const navigate = useNavigate();
  const key = useOrderKey(`${account.id}:again:${order._id}`);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  /** Set if the price has changed; null if the package is no longer offered. */
  const [offer, setOffer] = useState<Offer | null>();
  const isWithdrawn = offer === null;
  useEffect(() => {
    if (isWithdrawn) focusContentIfFocusIsLost();
  }, [isWithdrawn]);

  async function place(packagePrice: string): Promise<Problem | undefined> {
    const answer = await placeOrder(key, {
      packageName: order.packageName,
      packagePrice,
      customerEmail: account.email,
      ...customerDetailsOf(order),
      ...(order.renewal && { renews: true }),
      ...(order.billingDetails && { billingDetails: order.billingDetails }),
    });
    if (!answer.ok) return answer.problem;
    key.markPlaced();
    await navigate(`/pay-now/${answer.value._id}`);
    return undefined;
  }

  async function orderAgain(): Promise<void> {
    if (sending) return;
    setSending(true);
    const refusal = await place(order.packagePrice);
    setSending(false);
    const newOffer = refusal && findChangedOffer(refusal);
    setOffer(newOffer);
    setProblem(newOffer === undefined ? refusal : undefined);
  }

  if (isWithdrawn) {
    return (
      <span className="order-again__problem" role="status">
        {order.packageName} is no longer available. <Link to="/pricing/">See plans</Link>
      </span>
    );
  }
  return (
    <>
      <button
        className={small ? 'order-again' : 'button'}
        type="button"
        aria-disabled={sending}
        onClick={() => void orderAgain()}
      >
        {sending ? 'One moment' : 'Order again'}
      </button>
      {problem && (
        <span className="order-again__problem" role="alert">
          {problem.sentence}
        </span>
      )}
      {offer && (
        <ConfirmDialog
          title="The price has changed"
          actionLabel={`Order at ${money(offer.packagePrice)}`}
          confirm={() => place(offer.packagePrice)}
          close={() => setOffer(undefined)}
        >
          <p>
            {order.packageName} costs {money(offer.packagePrice)} a month now. Order{' '}
            {formatOrderNumber(order)} was placed at {money(order.packagePrice)}.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
