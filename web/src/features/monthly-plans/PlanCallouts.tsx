import { Link } from 'react-router-dom';
import {
  type Account,
  paymentProvider,
  type PlanSubscription,
  type SubscriptionChange,
} from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { money } from '../../lib/money.js';
import { useAccount } from '../../workspace/current-screen.js';
import { Callout } from '../../workspace/Callout.js';
import { date } from '../../workspace/formats.js';
import { PlanButton } from '../../workspace/monthly-plans/PlanButton.js';
import { difference, plusTax } from '../../workspace/monthly-plans/words.js';
import { PaymentMethodLink } from './PaymentMethodLink.js';
import { useApproval } from './approval.js';

const provider = paymentProvider.label;

/** What the state of the plan means for the customer, and what to do. */
export function PlanCallouts({ plan }: { plan: PlanSubscription }) {
  return (
    <>
      <StateCallout plan={plan} />
      {plan.change && <ChangeCallout plan={plan} change={plan.change} />}
    </>
  );
}

function StateCallout({ plan }: { plan: PlanSubscription }) {
  const account = useAccount();
  switch (plan.state) {
    case 'pending':
      return (
        <Callout title="Your plan is starting">
          <p>
            We’re waiting for {provider} to confirm your first payment. This usually takes less than a minute.
          </p>
        </Callout>
      );
    case 'past_due':
      return (
        <Callout title="Your payment didn’t go through" isFault actions={<PaymentActions plan={plan} />}>
          <p>
            {provider} couldn’t collect {amountDue(plan)}. Change your payment method at {provider}, then try
            the payment again.
          </p>
          <p>
            {plan.retryAt && `${provider} will also try again on ${date(plan.retryAt)}. `}
            {plan.graceEndsAt && `We’ll keep working on your plan until ${date(plan.graceEndsAt)}.`}
          </p>
        </Callout>
      );
    case 'suspended':
      return (
        <Callout title="Your plan is suspended" isFault actions={<PaymentActions plan={plan} />}>
          <p>
            {provider} couldn’t collect {amountDue(plan)}, so we’ve stopped work and won’t charge you. To
            continue, change your payment method at {provider}, then try the payment again.
          </p>
        </Callout>
      );
    case 'paused':
      return (
        <Callout
          title="Your plan is paused"
          actions={
            <Link className="button button--quiet" to="/contact">
              Contact us
            </Link>
          }
        >
          <p>We’ve paused your plan. You won’t be charged until we resume it.</p>
        </Callout>
      );
    case 'ending':
      return (
        <Callout
          title={plan.endsOn ? `Your plan ends on ${date(plan.endsOn)}` : 'Your plan is cancelled'}
          actions={
            <PlanButton plan={plan} action="resume" toast="Cancellation undone">
              Keep my plan
            </PlanButton>
          }
        >
          <p>
            {cancelledBy(plan, account)} We’ll keep working until the end of the time you’ve paid for, and you
            won’t be charged again.
            {plan.actions.includes('resume') &&
              ` Changed your mind? Until then, you can keep your plan at ${money(plan.price)} a month.`}
          </p>
        </Callout>
      );
    case 'ended':
      return <EndedCallout plan={plan} />;
    case 'active':
      return null;
  }
}

const amountDue = ({ outstanding, price }: PlanSubscription) => money(outstanding ?? price);

function PaymentActions({ plan }: { plan: PlanSubscription }) {
  return (
    <>
      <PaymentMethodLink plan={plan} isMain />
      <PlanButton plan={plan} action="retry" toast="Payment attempt started" isQuiet>
        Try payment again
      </PlanButton>
    </>
  );
}

function EndedCallout({ plan }: { plan: PlanSubscription }) {
  return (
    <Callout
      title={plan.endedAt ? `Your plan ended on ${date(plan.endedAt)}` : 'Your plan has ended'}
      actions={
        <Link className="button" to="/pricing/">
          See plans
        </Link>
      }
    >
      <p>{endedText(plan)} You can order a plan again at any time.</p>
    </Callout>
  );
}

function cancelledBy({ endReason, accountId, customerName }: PlanSubscription, account: Account): string {
  if (endReason === 'admin') return 'We’ve cancelled it.';
  if (endReason === 'provider') return `It was cancelled at ${provider}.`;
  return accountId === account.id ? 'You’ve cancelled it.' : `${customerName} has cancelled it.`;
}

function endedText({ endReason }: PlanSubscription): string {
  if (endReason === 'unpaid') return 'The last payment was never made, and you won’t be charged again.';
  if (endReason === 'admin') return 'We cancelled it, and you won’t be charged again.';
  if (endReason === 'provider') return `It was cancelled at ${provider}, and you won’t be charged again.`;
  return 'You won’t be charged again.';
}

interface ChangeCalloutProps {
  plan: PlanSubscription;
  change: SubscriptionChange;
}

function ChangeCallout({ plan, change }: ChangeCalloutProps) {
  const isOwn = plan.accountId === useAccount().id;
  const { approve, opening, problem } = useApproval(plan._id);
  const { packageName, price, appliesFrom } = change;
  if (change.state === 'approved') {
    return (
      <Callout title={`Your plan changes on ${date(appliesFrom)}`}>
        <p>
          From then on, you’ll have {packageName} for {money(price)} a month{plusTax(plan)},{' '}
          {difference(plan.price, price)}.
        </p>
      </Callout>
    );
  }
  const canApprove = plan.actions.includes('approve');
  return (
    <Callout
      title={`New price: ${money(price)} a month`}
      actions={
        canApprove && (
          <button
            className="button"
            type="button"
            aria-disabled={opening}
            onClick={() => void approve({ packageName, packagePrice: price })}
          >
            {opening ? `Opening ${provider}` : `Approve ${money(price)} a month`}
          </button>
        )
      }
    >
      <p>
        From {date(appliesFrom)}, {packageName} costs {money(price)} a month{plusTax(plan)},{' '}
        {difference(plan.price, price)}.{' '}
        {canApprove
          ? `Please approve it at ${provider}.`
          : isOwn
            ? approvalLater(change)
            : `Only ${plan.customerName} can approve it.`}{' '}
        The price won’t change without approval.
      </p>
      <FormProblem problem={problem} />
    </Callout>
  );
}

/** Says from which day the owner can approve a price. If that day has come, something else prevents it, such as the state of the plan. */
const approvalLater = ({ approvableFrom }: SubscriptionChange): string =>
  Date.parse(approvableFrom) > Date.now()
    ? `You can approve it at ${provider} from ${date(approvableFrom)}.`
    : `You can’t approve it at ${provider} at the moment.`;
