import { callApi, type AnswerOf } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { FormProblem } from '../../components/FormProblem.js';
import { Failure } from '../../workspace/Failure.js';
import { billingChecks, billingFrom } from '../../workspace/invoices/billing.js';
import { BillingFields } from '../../workspace/invoices/BillingFields.js';
import { useQuery, useRefetch } from '../../workspace/query.js';

/** Renders nothing while the details load for the first time, or if this site issues no invoices. */
export function Billing() {
  const details = useQuery('GET /billing-details');
  const isShown = details.data ? details.data.offered : details.problem !== undefined;
  if (!isShown) return null;
  return (
    <section className="panel" aria-labelledby="billing-details">
      <h2 id="billing-details">Billing details</h2>
      {details.data ? <BillingForm stored={details.data} /> : <Failure query={details} />}
    </section>
  );
}

function BillingForm({ stored }: { stored: AnswerOf<'GET /billing-details'> }) {
  const refetch = useRefetch();
  const { form, field, problem, sending } = useForm({
    checks: billingChecks,
    send: (values) => callApi('PUT /billing-details', { body: billingFrom((name) => values[name]) }),
    async onSent() {
      await refetch();
      showToast('Billing details saved');
    },
  });
  return (
    <>
      <p>
        For the invoices of your next orders. Everything here is optional. Without an address, invoices show
        the one from the order. The invoices you already have don’t change.
      </p>
      <form className="form account-form" method="post" aria-labelledby="billing-details" {...form}>
        <BillingFields field={field} details={stored} vatIdState={stored.vatIdState} />
        <FormProblem problem={problem} />
        <p className="buttons">
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'Saving' : 'Save billing details'}
          </button>
        </p>
      </form>
    </>
  );
}
