import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type CheckoutForm, formatOrderNumber, type Order, paymentProvider } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi, type Problem } from '../../lib/api.js';
import { newIdempotencyKey } from '../../lib/form.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { money } from '../../lib/money.js';
import { totalOf } from '../../workspace/orders/words.js';
import { stoppedAfterMs, useResetOnBack } from '../../workspace/reset-on-back.js';

const provider = paymentProvider.label;

interface PayNowFormProps {
  order: Order;
  /** Colleagues can pay an order, but not cancel it. */
  isOwn: boolean;
  /** Called when the order may have changed: after a refusal with 404 or 409, or after Back from the checkout. */
  onChanged(): void;
}

/** Opens the provider's checkout: posts the form that the server returns, or goes to its address if it has no fields. */
export function PayNowForm({ order, isOwn, onChanged }: PayNowFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const idempotencyKey = useRef(newIdempotencyKey());
  const [starting, setStarting] = useState(false);
  const [checkout, setCheckout] = useState<CheckoutForm>();
  const [problem, setProblem] = useState<Problem>();
  const [isCancelDialogOpen, setCancelDialogOpen] = useState(false);

  useEffect(() => {
    if (!checkout) return;
    if (checkout.fields.length === 0) window.location.assign(checkout.action);
    else form.current?.submit();
    const timer = setTimeout(() => {
      setCheckout(undefined);
      setStarting(false);
    }, stoppedAfterMs);
    return () => clearTimeout(timer);
  }, [checkout]);

  useResetOnBack(() => {
    idempotencyKey.current = newIdempotencyKey();
    setCheckout(undefined);
    setStarting(false);
    onChanged();
  });

  async function start(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (starting) return;
    setStarting(true);
    setProblem(undefined);
    const answer = await callApi('POST /order/:id/payment', {
      params: { id: order._id },
      idempotencyKey: idempotencyKey.current,
    });
    // The button stays busy while the checkout is loading.
    if (answer.ok) return setCheckout(answer.value);
    setStarting(false);
    setProblem(answer.problem);
    if (answer.problem.status === 409 || answer.problem.status === 404) onChanged();
  }

  return (
    <form
      className="form"
      ref={form}
      method="post"
      action={checkout?.action}
      aria-label="Pay Now"
      onSubmit={(event) => void start(event)}
    >
      {checkout?.fields.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <ol className="next-steps" aria-label="What happens next">
        <li>
          {firstStepText(order, isOwn)} {isOwn && 'Cancelling there cancels this order.'}
        </li>
        <li>{provider} brings you back here and confirms the payment to us, usually within a minute.</li>
        <li>
          The order shows “You Have Paid”, and we open a project for the work.
          {order.renewal && isOwn && ' You can cancel your monthly plan here at any time.'}
        </li>
      </ol>
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={starting}>
          {starting ? `Opening ${provider}` : 'Pay Now'}
        </button>
        {isOwn && (
          <button className="button button--quiet" type="button" onClick={() => setCancelDialogOpen(true)}>
            Cancel this order
          </button>
        )}
      </p>
      {isCancelDialogOpen && <CancelDialog order={order} close={() => setCancelDialogOpen(false)} />}
    </form>
  );
}

function firstStepText(order: Order, isOwn: boolean): string {
  const { renewal, customerName } = order;
  const until = isOwn
    ? 'until you cancel your plan'
    : `until ${customerName} cancels the plan, or you stop the payments at ${provider}`;
  const amount = money(totalOf(order));
  const how = `by card or with your ${provider} account.`;
  return renewal
    ? `You go to ${provider} and approve ${amount} a month there, ${how} You’re charged today, and then every month on the same day ${until}.`
    : `You go to ${provider} and pay ${amount} for one month there, ${how}`;
}

function CancelDialog({ order, close }: { order: Order; close(): void }) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={`Cancel order ${formatOrderNumber(order)}?`}
      actionLabel="Cancel order"
      cancelLabel="Keep order"
      close={close}
      confirm={async () => {
        // The screen at this address cancels the order when it opens.
        await navigate(`/order-cancelled/${order._id}`);
        return undefined;
      }}
    >
      <p>
        You can’t pay for a cancelled order, and we won’t work on it. You haven’t been charged, and you can
        order {order.packageName} again at any time.
      </p>
    </ConfirmDialog>
  );
}
