import { Link, useParams } from 'react-router-dom';
import { sections } from '#libs/content-model';
import { Waiting } from '../../components/Waiting.js';
import { isRecordId } from '../../lib/record-id.js';
import { useAccount } from '../../workspace/current-screen.js';
import { usePackage, useRecords } from '../../workspace/content-api.js';
import { Failure } from '../../workspace/Failure.js';
import { useQuery } from '../../workspace/query.js';
import { OrderLayout } from './OrderLayout.js';
import { customerDetailsOf, readOrderDraft } from './order-draft.js';
import { OrderForm } from './OrderForm.js';
import { PackageSummary } from './PackageSummary.js';

export function Component() {
  const account = useAccount();
  const { id } = useParams();
  const pricingPackage = usePackage(isRecordId(id) ? id : null);
  const latestOrders = useQuery('GET /orders', { query: { own: true, limit: 1 } });
  const terms = useRecords(sections.terms);
  const renewalOffer = useQuery('GET /plan-subscriptions/offer');
  const billing = useQuery('GET /billing-details');
  if (!isRecordId(id) || pricingPackage.problem?.status === 404) return <NotOnOffer />;
  const failedQuery = [pricingPackage, terms].find(({ data, problem }) => problem && !data);
  if (failedQuery) {
    return (
      <OrderLayout step="Order" title="SEO Plan">
        <Failure query={failedQuery} />
      </OrderLayout>
    );
  }
  // The form also works without the latest order, the offer of monthly plans and the billing details, so failures to read them are ignored.
  // For the same reason, the form stays while they are being read again after a failure.
  const isReading = [latestOrders, terms, renewalOffer, billing].some(
    ({ loading, retrying }) => loading && !retrying,
  );
  if (!pricingPackage.data || isReading) return <Waiting />;
  const latestOrder = latestOrders.data?.[0];
  const canRenew = renewalOffer.data?.available ?? false;
  /** Undefined if the billing details could not be read. */
  const issuesInvoices = billing.data?.offered;
  return (
    <OrderLayout
      step="Order"
      title="SEO Plan"
      lead="Place your order now and pay in the next step. You won’t be charged before that."
      aside={<PackageSummary pricingPackage={pricingPackage.data} canRenew={canRenew} />}
    >
      <OrderForm
        account={account}
        pricingPackage={pricingPackage.data}
        terms={terms.data?.[0]}
        canRenew={canRenew}
        rememberedBilling={issuesInvoices ? billing.data : undefined}
        needsTaxQuote={issuesInvoices ?? true}
        details={readOrderDraft(account.id) ?? (latestOrder && customerDetailsOf(latestOrder))}
      />
    </OrderLayout>
  );
}

function NotOnOffer() {
  return (
    <OrderLayout step="Order" title="This plan isn’t available" lead="It may have been removed.">
      <p className="buttons">
        <Link className="button" to="/pricing/">
          See plans
        </Link>
      </p>
    </OrderLayout>
  );
}
