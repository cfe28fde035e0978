import { useId, useRef, useState } from 'react';
import { formatOrderNumber, type Order, type OrderRefunds, paymentProvider } from '#libs/contracts';
import { Field, TextAreaField } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { newIdempotencyKey, useForm } from '../../lib/form.js';
import { money } from '../../lib/money.js';
import { showToast } from '../../lib/toasts.js';
import { CloseButton, Dialog } from '../../workspace/Dialog.js';
import { useRefetch } from '../../workspace/query.js';
import { apiAmount, isReduced, refundFault } from './refund-amount.js';

export interface RefundDialogProps {
  order: Order;
  /** `amount` is what can still be refunded. */
  payment: OrderRefunds['refundable'][number];
  /**
   * Whether the order's payment status becomes Cancelled if all that is left of the payment is refunded. `unless_overridden`: only if no admin has
   * set the status; whether one has is not known.
   */
  fullRefundCancelsOrder: boolean | 'unless_overridden';
  close(): void;
}

/** Render it only while it is open. */
export function RefundDialog({ order, payment, fullRefundCancelsOrder, close }: RefundDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const effectId = useId();
  const refetch = useRefetch();
  const [typedAmount, setTypedAmount] = useState(payment.amount);
  // Each dialog makes only one refund, even if an answer was lost and the admin has changed the amount since.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const { form, field, problem, sending } = useForm<'amount' | 'reason', unknown>({
    checks: {
      amount: (value) => refundFault(value, payment.amount),
      reason: (value) => (value.trim() ? undefined : 'Enter a reason'),
    },
    async send(values) {
      const answer = await callApi('POST /order/:id/refund', {
        params: { id: order._id },
        body: { txnId: payment.txnId, amount: apiAmount(values.amount) ?? '', reason: values.reason.trim() },
        idempotencyKey,
      });
      if (!answer.ok && answer.problem.status === 409) void refetch();
      return answer;
    },
    async onSent() {
      await refetch();
      showToast('Refund requested');
      dialog.current?.close();
    },
  });
  const amountField = field('amount');
  const amount = refundFault(typedAmount, payment.amount) ? undefined : apiAmount(typedAmount);
  return (
    <Dialog ref={dialog} title={`Refund order ${formatOrderNumber(order)}`} sending={sending} close={close}>
      <form className="form" method="post" {...form}>
        <Field
          {...amountField}
          label="Amount in US dollars"
          hint={amountHint(order, payment)}
          inputMode="decimal"
          autoComplete="off"
          value={typedAmount}
          required
          onChange={({ target }) => {
            amountField.onChange();
            setTypedAmount(target.value);
          }}
        />
        <TextAreaField
          {...field('reason')}
          label="Reason"
          hint={`The customer can read it, in their order and at ${paymentProvider.label}.`}
          rows={2}
          maxLength={200}
          required
        />
        <p id={effectId}>
          The customer gets {amount ? money(amount) : 'this amount'} back through their original payment
          method.
          {fullRefundCancelsOrder &&
            amount === payment.amount &&
            ` The order’s payment status becomes Cancelled${fullRefundCancelsOrder === true ? '' : ', unless an admin has set it'}.`}{' '}
          This can’t be undone.
        </p>
        <FormProblem problem={problem} />
        <p className="buttons">
          <CloseButton sending={sending}>Cancel</CloseButton>
          <button className="button" type="submit" aria-disabled={sending} aria-describedby={effectId}>
            {sending ? 'One moment' : `Refund${amount ? ` ${money(amount)}` : ''}`}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function amountHint({ payments }: Order, { txnId, amount }: RefundDialogProps['payment']): string {
  const stored = payments.find((payment) => payment.txnId === txnId);
  const limit = `Up to ${money(amount)}.`;
  return stored && isReduced(stored, amount)
    ? `${limit} Disputed amounts and requested refunds are already subtracted.`
    : limit;
}
