import { useId, useState } from 'react';
import { sections } from '#libs/content-model';
import { paymentProvider, type PlanChangePreview, type PlanSubscription } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { money } from '../../lib/money.js';
import { useRecords } from '../../workspace/content-api.js';
import { formatDate } from '../../workspace/formats.js';
import { priceDifference, plusTax } from '../../workspace/monthly-plans/words.js';
import { useQuery } from '../../workspace/query.js';
import { Failure } from '../../workspace/Failure.js';
import { useChangeApproval } from './approval.js';

const provider = paymentProvider.label;

/** The customer approves the change at the provider. */
export function ChangePlanPanel({ plan }: { plan: PlanSubscription }) {
  const id = useId();
  const packages = useRecords(sections.pricingPackage);
  const [chosen, setChosen] = useState('');
  const preview = useQuery(
    'GET /plan-subscription/:id/change',
    chosen ? { params: { id: plan._id }, query: { packageName: chosen } } : null,
  );
  const otherPackages = packages.data?.filter(({ packageName }) => packageName !== plan.packageName);
  if (otherPackages?.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="change-plan">
      <h2 id="change-plan">Change plan</h2>
      <Failure query={packages} />
      {otherPackages && (
        <div className="field change-plan__choice">
          <label htmlFor={id}>New plan</label>
          <select
            className="field__input"
            id={id}
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="">Choose a plan</option>
            {otherPackages.map(({ _id, packageName, packagePrice }) => (
              <option key={_id} value={packageName}>
                {packageName}, {money(packagePrice)} a month
              </option>
            ))}
          </select>
        </div>
      )}
      <div role="status" aria-busy={preview.loading}>
        <Failure query={preview} />
        {preview.data?.packageName === chosen && <Preview plan={plan} preview={preview.data} />}
      </div>
    </section>
  );
}

function Preview({ plan, preview }: { plan: PlanSubscription; preview: PlanChangePreview }) {
  const { packageName, price, presentPrice, appliesFrom } = preview;
  const { openApprovalPage, opening, problem } = useChangeApproval(plan._id);
  return (
    <div className="change-plan__preview">
      <p>
        From {formatDate(appliesFrom)}, you’ll pay <strong>{money(price)}</strong> a month for {packageName}
        {plusTax(plan)}, {priceDifference(presentPrice, price)}. Until then, your plan stays as it is, and
        nothing is charged today. You approve the change at {provider}.
      </p>
      <FormProblem problem={problem} />
      <p className="buttons">
        <button
          className="button"
          type="button"
          aria-disabled={opening}
          onClick={() => void openApprovalPage({ packageName, packagePrice: price })}
        >
          {opening ? `Opening ${provider}` : `Continue to ${provider}`}
        </button>
      </p>
    </div>
  );
}
