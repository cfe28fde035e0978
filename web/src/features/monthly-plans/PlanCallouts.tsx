import { Link } from 'react-router-dom';
import { paymentProvider, type PlanSubscription, type SubscriptionChange } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { money } from '../../lib/money.js';
import { useAccount } from '../../workspace/current-screen.js';
import { Callout } from '../../workspace/Callout.js';
import { formatDate } from '../../workspace/formats.js';
import { PlanButton } from '../../workspace/monthly-plans/PlanButton.js';
import { priceDifference, plusTax } from '../../workspace/monthly-plans/words.js';
import { PaymentMethodLink } from './PaymentMethodLink.js';
import { useChangeApproval } from './approval.js';

const provider = paymentProvider.label;

export function PlanCallouts({ plan }: { plan: PlanSubscription }) {
  const isOwn = plan.accountId === useAccount().id;
  return (
    <>
      <StateCallout plan={plan} isOwn={isOwn} />
      {plan.change && <ChangeCallout plan={plan} isOwn={isOwn} change={plan.change} />}
    </>
  );
}

interface CalloutProps {
  plan: PlanSubscription;
  /** The reader is the plan's customer. */
  isOwn: boolean;
}

const subjectOf = (isOwn: boolean) => (isOwn ? 'Your plan' : 'The plan');

function StateCallout({ plan, isOwn }: CalloutProps) {
  const thePlan = subjectOf(isOwn);
  switch (plan.state) {
    case 'pending':
      return (
        <Callout title={`${thePlan} is starting`}>
          <p>
            We’re waiting for {provider} to confirm the first payment. This usually takes less than a minute.
          </p>
        </Callout>
      );
    case 'past_due':
      return (
        <Callout
          title={`${isOwn ? 'Your' : 'The'} payment didn’t go through`}
          isFault
          actions={<PaymentActions plan={plan} />}
        >
          <p>
            {provider} couldn’t collect {amountDueText(plan)}. Change the payment method at {provider}, then
            try the payment again.
          </p>
          <p>
            {plan.retryAt && `${provider} will also try again on ${formatDate(plan.retryAt)}. `}
            {plan.graceEndsAt && `We’ll keep working on the plan until ${formatDate(plan.graceEndsAt)}.`}
          </p>
        </Callout>
      );
    case 'suspended':
      return (
        <Callout title={`${thePlan} is suspended`} isFault actions={<PaymentActions plan={plan} />}>
          <p>
            {provider} couldn’t collect {amountDueText(plan)}, so we’ve stopped work and won’t charge any
            further months. To continue, change the payment method at {provider}, then try the payment again.
          </p>
        </Callout>
      );
    case 'paused':
      return (
        <Callout
          title={`${thePlan} is paused`}
          actions={
            <Link className="button button--quiet" to="/contact">
              Contact us
            </Link>
          }
        >
          <p>We’ve paused it. Nothing is charged until we resume it.</p>
        </Callout>
      );
    case 'ending':
      return <EndingCallout plan={plan} isOwn={isOwn} />;
    case 'ended':
      return <EndedCallout plan={plan} isOwn={isOwn} />;
    case 'active':
      return null;
  }
}

/** The provider may report that a charge failed, but no outstanding amount. */
const amountDueText = ({ outstanding, priceWithTax, price }: PlanSubscription) =>
  money(outstanding ?? priceWithTax ?? price);

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

function EndingCallout({ plan, isOwn }: CalloutProps) {
  const thePlan = subjectOf(isOwn);
  return (
    <Callout
      title={plan.endsOn ? `${thePlan} ends on ${formatDate(plan.endsOn)}` : `${thePlan} is cancelled`}
      actions={
        isOwn && (
          <PlanButton plan={plan} action="resume" toast="Cancellation undone">
            Keep my plan
          </PlanButton>
        )
      }
    >
      <p>
        {cancelledByText(plan, isOwn)} We’ll keep working until the end of the paid period, and nothing more
        will be charged.
        {isOwn &&
          plan.actions.includes('resume') &&
          ` Changed your mind? Until then, you can keep your plan at ${money(plan.price)} a month${plusTax(plan)}.`}
      </p>
    </Callout>
  );
}

function EndedCallout({ plan, isOwn }: CalloutProps) {
  const thePlan = subjectOf(isOwn);
  return (
    <Callout
      title={plan.endedAt ? `${thePlan} ended on ${formatDate(plan.endedAt)}` : `${thePlan} has ended`}
      actions={
        isOwn && (
          <Link className="button" to="/pricing/">
            See plans
          </Link>
        )
      }
    >
      <p>
        {endedText(plan)}
        {isOwn && ' You can order a plan again at any time.'}
      </p>
    </Callout>
  );
}

function cancelledByText({ endReason, customerName }: PlanSubscription, isOwn: boolean): string {
  if (endReason === 'admin') return 'We’ve cancelled it.';
  if (endReason === 'provider') return `It was cancelled at ${provider}.`;
  return isOwn ? 'You’ve cancelled it.' : `${customerName} has cancelled it.`;
}

function endedText({ endReason }: PlanSubscription): string {
  if (endReason === 'unpaid') return 'The last payment was never made, and nothing more will be charged.';
  if (endReason === 'admin') return 'We cancelled it, and nothing more will be charged.';
  if (endReason === 'provider') return `It was cancelled at ${provider}, and nothing more will be charged.`;
  return 'Nothing more will be charged.';
}

interface ChangeCalloutProps extends CalloutProps {
  change: SubscriptionChange;
}

function ChangeCallout({ plan, isOwn, change }: ChangeCalloutProps) {
  const { openApprovalPage, opening, problem } = useChangeApproval(plan._id);
  const { packageName, price, appliesFrom } = change;
  if (change.state === 'approved') {
    return (
      <Callout title={`${subjectOf(isOwn)} changes on ${formatDate(appliesFrom)}`}>
        <p>
          From then on, it’s {packageName} for {money(price)} a month{plusTax(plan)},{' '}
          {priceDifference(plan.price, price)}.
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
            onClick={() => void openApprovalPage({ packageName, packagePrice: price })}
          >
            {opening ? `Opening ${provider}` : `Approve ${money(price)} a month`}
          </button>
        )
      }
    >
      <p>
        From {formatDate(appliesFrom)}, {packageName} costs {money(price)} a month{plusTax(plan)},{' '}
        {priceDifference(plan.price, price)}.{' '}
        {canApprove
          ? `Please approve it at ${provider}.`
          : isOwn
            ? cannotApproveText(change)
            : `Only ${plan.customerName} can approve it.`}{' '}
        The price won’t change without approval.
      </p>
      <FormProblem problem={problem} />
    </Callout>
  );
}

/** For a change that cannot be approved now: it is too early, or something else prevents the approval, such as the plan's state. */
const cannotApproveText = ({ approvableFrom }: SubscriptionChange): string =>
  Date.parse(approvableFrom) > Date.now()
    ? `You can approve it at ${provider} from ${formatDate(approvableFrom)}.`
    : `You can’t approve it at ${provider} at the moment.`;
