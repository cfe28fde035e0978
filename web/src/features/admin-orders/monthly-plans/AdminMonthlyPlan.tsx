import '../admin-orders.css';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { formatOrderNumber, paymentProvider, type PlanSubscription } from '#libs/contracts';
import { useTabTitle } from '../../../lib/tab-title.js';
import { Callout } from '../../../workspace/Callout.js';
import { DemoLabel } from '../../../workspace/DemoLabel.js';
import { Details } from '../../../workspace/Details.js';
import { Empty } from '../../../workspace/Empty.js';
import { formatNumber, formatDate } from '../../../workspace/formats.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { PlanCharges } from '../../../workspace/monthly-plans/PlanCharges.js';
import { useHeadingFocus } from '../../../workspace/monthly-plans/heading-focus.js';
import { planDetails } from '../../../workspace/monthly-plans/plan-details.js';
import { endReasons, whatHappensNext, planStates } from '../../../workspace/monthly-plans/words.js';
import { Timeline } from '../../../workspace/orders/Timeline.js';
import { paymentStatusForAdmin } from '../../../workspace/orders/words.js';
import { useQuery } from '../../../workspace/query.js';
import { CustomerNotes } from '../CustomerNotes.js';
import { MailsAbout } from '../MailsAbout.js';
import { customerNameOf } from '../customer-name.js';
import { PlanActions } from './PlanActions.js';
import { TimeMachine } from './TimeMachine.js';

const provider = paymentProvider.label;
const orderLink = { text: 'View order', to: ({ _id }: { _id: string }) => `/admin/payment-status/${_id}` };

export function AdminMonthlyPlan({ renderProjects }: { renderProjects(planId: string): ReactNode }) {
  const { id = '' } = useParams();
  const plan = useQuery('GET /plan-subscription/:id', { params: { id } });
  const missing = (
    <Empty title="Monthly plan not found" action={<Link to="/admin/monthly-plans">All monthly plans</Link>} />
  );
  return (
    <Loaded query={plan} missing={missing}>
      {(data) => <PlanPanels key={id} plan={data} projects={renderProjects(data._id)} />}
    </Loaded>
  );
}

function PlanPanels({ plan, projects }: { plan: PlanSubscription; projects: ReactNode }) {
  const timeline = useQuery('GET /plan-subscription/:id/timeline', { params: { id: plan._id } });
  const heading = useHeadingFocus(plan.version);
  useTabTitle(`Monthly plan: ${customerNameOf(plan)}`);
  return (
    <>
      <Callouts plan={plan} />
      <div className="order-admin">
        <section className="panel order-admin__details" aria-labelledby="plan-details">
          <h2 id="plan-details" ref={heading} tabIndex={-1}>
            {plan.packageName}, {customerNameOf(plan)}
            <DemoLabel email={plan.customerEmail} />
          </h2>
          <PlanDetails plan={plan} />
        </section>
        <div className="order-admin__side">
          {plan.state !== 'ended' && <PlanActions plan={plan} />}
          <TimeMachine plan={plan} />
        </div>
        <div className="order-admin__rest">
          {projects}
          <PlanCharges
            planId={plan._id}
            packageHead="Package"
            statusOf={paymentStatusForAdmin}
            link={orderLink}
          />
          {plan.customerName && <CustomerNotes customerId={plan.accountId} />}
          <MailsAbout id={plan._id} what="this plan" />
          <section className="panel" aria-labelledby="plan-timeline">
            <h2 id="plan-timeline">Timeline</h2>
            <Timeline entries={timeline} />
          </section>
        </div>
      </div>
    </>
  );
}

function PlanDetails({ plan }: { plan: PlanSubscription }) {
  return (
    <Details
      items={[
        ...planDetails(plan),
        ['Ended because', plan.endReason ? endReasons[plan.endReason] : undefined],
        ['Charges received', formatNumber(plan.cycles)],
        [
          'Customer',
          plan.customerName ? (
            <Link to={`/customer/${plan.accountId}`}>{plan.customerName}</Link>
          ) : (
            customerNameOf(plan)
          ),
        ],
        ['E-mail', plan.customerEmail && <a href={`mailto:${plan.customerEmail}`}>{plan.customerEmail}</a>],
        [
          'First order',
          <Link to={`/admin/payment-status/${plan.firstOrderId}`}>
            {formatOrderNumber({ _id: plan.firstOrderId, number: plan.firstOrderNumber })}
          </Link>,
        ],
        ['Plan ID', plan._id],
      ]}
    />
  );
}

function Callouts({ plan }: { plan: PlanSubscription }) {
  const text = adviceFor(plan);
  return (
    <>
      {plan.problem && (
        <Callout title="This plan needs attention" isFault>
          <p>{plan.problem}</p>
        </Callout>
      )}
      {text && (
        <Callout
          title={`${planStates[plan.state].text}: ${whatHappensNext(plan)}`}
          isFault={plan.state === 'past_due' || plan.state === 'suspended'}
        >
          <p>{text}</p>
        </Callout>
      )}
    </>
  );
}

function adviceFor({ state, retryAt, actions }: PlanSubscription): string | undefined {
  const retryText = retryAt ? ` ${provider} tries again on ${formatDate(retryAt)}.` : '';
  switch (state) {
    case 'past_due':
      return `The customer can change their payment method at ${provider}; if their e-mail address is confirmed, we’ve told them.${retryText} You can also try the payment again yourself.`;
    case 'suspended':
      return 'Nothing more is charged. The plan continues once the failed charge is paid. You can also cancel it.';
    case 'paused':
      return 'Nothing is charged. Resume the plan when work continues.';
    case 'ending':
      return actions.includes('resume')
        ? 'Until then, you or the customer can undo the cancellation.'
        : `It was cancelled at ${provider}, which is final. The customer can order a plan again.`;
    case 'pending':
      return `This usually takes less than a minute after the customer has approved the plan at ${provider}.`;
    case 'active':
    case 'ended':
      return undefined;
  }
}
