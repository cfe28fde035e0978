import { callApi, type AnswerOf } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { FormProblem } from '../../components/FormProblem.js';
import { billingChecks, billingFrom } from '../../workspace/invoices/billing.js';
import { BillingFields } from '../../workspace/invoices/BillingFields.js';
import { useQuery, useRefetch } from '../../workspace/query.js';

/** Renders nothing if this site issues no invoices. */
export function Billing() {
  const { data } = useQuery('GET /billing-details');
  return data?.offered ? <BillingForm stored={data} /> : null;
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
    <section className="panel" aria-labelledby="billing-details">
      <h2 id="billing-details">Billing details</h2>
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
    </section>
  );
}
