import './monthly-plans.css';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { paymentProvider, type PlanSubscription } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { newIdempotencyKey } from '../../lib/form.js';
import { isRecordId } from '../../lib/record-id.js';
import { useAccount } from '../../workspace/current-screen.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { Details } from '../../workspace/Details.js';
import { Empty } from '../../workspace/Empty.js';
import { Loaded } from '../../workspace/Loaded.js';
import { chargesPageParam, PlanCharges } from '../../workspace/monthly-plans/PlanCharges.js';
import { useHeadingFocus } from '../../workspace/monthly-plans/heading-focus.js';
import { planDetails } from '../../workspace/monthly-plans/plan-details.js';
import { Timeline } from '../../workspace/orders/Timeline.js';
import { paymentStatusForCustomer } from '../../workspace/orders/words.js';
import { ProjectLink } from '../../workspace/projects/ProjectLink.js';
import { useQuery, useRefetch } from '../../workspace/query.js';
import { CancelPlanButton } from './CancelPlanButton.js';
import { ChangePlanPanel } from './ChangePlanPanel.js';
import { PaymentMethodLink } from './PaymentMethodLink.js';
import { PlanCallouts } from './PlanCallouts.js';

const receiptLink = { text: 'View receipt', to: ({ _id }: { _id: string }) => `/pay-now/${_id}` };

export function Component() {
  const { id } = useParams();
  return (
    <CustomerScreen title="Monthly plan">
      {isRecordId(id) ? <Plan key={id} id={id} /> : <NoSuchPlan />}
    </CustomerScreen>
  );
}

function Plan({ id }: { id: string }) {
  const plan = useQuery('GET /plan-subscription/:id', { params: { id } });
  const isRefreshing = useRefreshOnReturn(id);
  return (
    <>
      {isRefreshing && <p role="status">Checking with {paymentProvider.label}…</p>}
      <Loaded query={plan} missing={<NoSuchPlan />}>
        {(data) => <LoadedPlan plan={data} />}
      </Loaded>
    </>
  );
}

function LoadedPlan({ plan }: { plan: PlanSubscription }) {
  const timeline = useQuery('GET /plan-subscription/:id/timeline', { params: { id: plan._id } });
  const account = useAccount();
  const isOwn = plan.accountId === account.id;
  const heading = useHeadingFocus(plan.version);
  // The callout of an unpaid plan has the link to the payment method.
  const isUnpaid = plan.state === 'past_due' || plan.state === 'suspended';
  return (
    <>
      <PlanCallouts plan={plan} />
      <section className="panel" aria-labelledby="plan-details">
        <h2 id="plan-details" ref={heading} tabIndex={-1}>
          {plan.packageName}
        </h2>
        {account.role === 'Customer' && !isOwn && (
          <p>
            This is {plan.customerName}’s plan. You can pay for it, but only they can change or cancel it.
          </p>
        )}
        <Details items={planDetails(plan)} />
        <ProjectLink paidBy={{ subscription: plan._id }} />
        <div className="buttons">
          {!isUnpaid && <PaymentMethodLink plan={plan} />}
          {isOwn && <CancelPlanButton plan={plan} />}
        </div>
      </section>
      {plan.actions.includes('change') && <ChangePlanPanel plan={plan} />}
      <PlanCharges
        planId={plan._id}
        packageHead="Plan"
        statusOf={(order) => paymentStatusForCustomer(order, isOwn)}
        link={receiptLink}
      />
      <section className="panel" aria-labelledby="plan-timeline">
        <h2 id="plan-timeline">Plan activity</h2>
        <Timeline entries={timeline} />
      </section>
    </>
  );
}

/**
 * A provider adds parameters to the address when the customer returns. The site then asks the provider once what has changed. Returns whether that is
 * under way.
 */
function useRefreshOnReturn(id: string): boolean {
  const [params, setParams] = useSearchParams();
  const refetch = useRefetch();
  const [isRefreshing, setRefreshing] = useState(() =>
    [...params.keys()].some((name) => name !== chargesPageParam),
  );
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!isRefreshing || hasAsked.current) return;
    hasAsked.current = true;
    setParams({}, { replace: true });
    void (async () => {
      // If this call fails, the provider notifies the site anyway.
      await callApi('POST /plan-subscription/:id/refresh', {
        params: { id },
        idempotencyKey: newIdempotencyKey(),
      });
      await refetch();
      setRefreshing(false);
    })();
  }, [id, isRefreshing, refetch, setParams]);
  return isRefreshing;
}

function NoSuchPlan() {
  return (
    <Empty
      title="Monthly plan not found"
      action={
        <Link className="button" to="/monthly-plans">
          Monthly plans
        </Link>
      }
    >
      It may belong to a different account.
    </Empty>
  );
}
