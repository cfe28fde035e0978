import { type Html, html } from '../../shared/html.js';
import type { FundingSource, Merchant } from '../model.js';
import type { PayPal } from '../paypal.js';
import type { Refusal } from '../refusal.js';
import type { Frequency } from '../rest/billing-dates.js';
import type { PlanRecord } from '../rest/catalog.js';
import { type Proposal, type SubscriptionRecord, withTokens } from '../rest/subscriptions.js';
import { approvalLayout, row } from './approval-page.js';
import { choices, buyerFields, displayAmount } from './checkout-page.js';
import { page } from './page.js';
import { formatTime } from './time.js';

const fundingSources: { id: FundingSource; label: string; hint: string }[] = [
  { id: 'ok', label: 'PayPal balance', hint: 'Every payment succeeds.' },
  { id: 'declined', label: 'Declined card', hint: 'Every payment is declined.' },
  { id: 'echeck', label: 'E-check', hint: 'Every payment is pending until the bank clears it, or it fails.' },
];

const maxShown = 50;

const unitWords: Record<Frequency['unit'], string> = {
  DAY: 'day',
  WEEK: 'week',
  MONTH: 'month',
  YEAR: 'year',
};

/** `$49.00 each month`. */
export function priceWords({ price, frequency: { unit, count } }: PlanRecord): string {
  const every = count === 1 ? `each ${unitWords[unit]}` : `every ${count} ${unitWords[unit]}s`;
  return `${displayAmount(price.minor, price.currency)} ${every}`;
}

export interface SubscriptionApprovalPageInput {
  record: SubscriptionRecord;
  proposal: Proposal;
  plan: PlanRecord;
  /** Set if the subscription is approved already, and the buyer is asked to change its plan. */
  currentPlan: PlanRecord | undefined;
  merchant: Merchant;
  submitted: Record<string, string>;
  refusal: Refusal | undefined;
}

export function subscriptionApprovalPage({
  record,
  proposal,
  plan,
  currentPlan,
  merchant,
  submitted,
  refusal,
}: SubscriptionApprovalPageInput): string {
  const price = priceWords(plan);
  const path = `/webapps/billing/subscriptions${currentPlan ? '/update' : ''}`;
  const title = currentPlan ? `Change to ${plan.name}` : `Subscribe for ${price}`;
  const rows = html`
    ${row('Plan', plan.name)}
    ${currentPlan && row('Current plan', `${currentPlan.name}, ${priceWords(currentPlan)}`)}
    ${row('First payment', currentPlan ? 'At the next billing time' : 'Now')}
  `;
  return approvalLayout({
    title,
    merchant,
    rows,
    total: price,
    action: `${path}?ba_token=${proposal.token}`,
    fields: currentPlan
      ? html``
      : html`${choices(fundingSources, submitted.method ?? 'ok')} ${buyerFields(submitted, refusal)}`,
    submit: currentPlan ? 'Agree and change the plan' : 'Agree and subscribe',
    close: 'Agree, then close the window',
    cancelUrl: proposal.context && withTokens(proposal.context.cancelUrl, record, proposal),
    refusal,
  });
}

/** Lists the subscriptions of all buyers, or only the one with `onlyId`. Buyers can change how they pay, and cancel a subscription that has begun. */
export function autopayPage(paypal: PayPal, onlyId?: string, fault?: string): string {
  const ofBuyers = paypal.rest.subscriptions.all.filter(({ buyer }) => buyer !== null);
  const records = ofBuyers.filter(({ id }) => onlyId === undefined || id === onlyId).reverse();
  const body = html`
    ${onlyId !== undefined && html`<p><a href="/myaccount/autopay">All automatic payments</a></p>`}
    <h1>Automatic payments</h1>
    ${fault && html`<p class="alert" role="alert">${fault}</p>`}
    ${records.length === 0 && html`<p>No automatic payments yet.</p>`}
    ${records.slice(0, maxShown).map((record) => autopayItem(record, paypal))}
    ${records.length > maxShown && html`<p class="quiet">Showing the newest ${maxShown} of ${records.length}.</p>`}
  `;
  return page('Automatic payments', body);
}

function autopayItem(record: SubscriptionRecord, { rest, merchants }: PayPal): Html {
  const plan = rest.subscriptions.planOf(record);
  const { id, status, nextBillingAt, outstanding, fund } = record;
  const isOpen = ['APPROVED', 'ACTIVE', 'SUSPENDED'].includes(status);
  return html`<section class="stack sheet" aria-labelledby="${id}">
    <h2 id="${id}">${plan.name}</h2>
    <dl class="rows card">
      ${row('To', merchants.get(record.merchantId).email)} ${row('Price', priceWords(plan))}
      ${row('Status', statusWords(record))}
      ${status === 'ACTIVE' && row('Next payment (UTC)', formatTime(nextBillingAt!))}
      ${outstanding > 0 && row('Not paid yet', displayAmount(outstanding, plan.price.currency))}
      ${row('Reference', id)}
    </dl>
    ${
      isOpen &&
      html`<form method="post" action="/myaccount/autopay/connect/${id}" class="stack">
        ${choices(fundingSources, fund)}
        <button class="primary" name="action" value="fund">Save payment method</button>
        ${status !== 'APPROVED' && html`<button class="secondary" name="action" value="cancel">Cancel the automatic payments</button>`}
      </form>`
    }
  </section>`;
}

const statusWords = ({ status }: SubscriptionRecord) =>
  (status[0]! + status.slice(1).toLowerCase()).replace('_', ' ');

export function subscriptionTable({ rest }: PayPal): Html | false {
  const { all } = rest.subscriptions;
  if (all.length === 0) return false;
  const shown = all.slice(-maxShown).reverse();
  return html`
    <h2>Subscriptions</h2>
    <p><a href="/myaccount/autopay">Automatic payments of all buyers</a></p>
    <div class="scroll" tabindex="0" role="region" aria-label="Subscriptions">
      <table>
        <thead>
          <tr>
            <th scope="col">Subscription</th>
            <th scope="col">Plan</th>
            <th scope="col">Price</th>
            <th scope="col">Status</th>
            <th scope="col">Buyer</th>
            <th scope="col" class="number">Cycles billed</th>
            <th scope="col">Next payment (UTC)</th>
            <th scope="col" class="number">Not paid yet</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((record) => subscriptionRow(record, rest.subscriptions.planOf(record)))}
        </tbody>
      </table>
    </div>
    ${all.length > shown.length && html`<p class="quiet">Showing the newest ${maxShown} of ${all.length}.</p>`}
  `;
}

function subscriptionRow(record: SubscriptionRecord, plan: PlanRecord): Html {
  const { id, buyer, cycles, status, nextBillingAt, outstanding } = record;
  return html`<tr>
    <th scope="row">
      ${buyer ? html`<a href="/myaccount/autopay/connect/${id}"><code>${id}</code></a>` : html`<code>${id}</code>`}
    </th>
    <td>${plan.name}</td>
    <td>${priceWords(plan)}</td>
    <td>${statusWords(record)}</td>
    <td>${buyer ? `${buyer.firstName} ${buyer.lastName}` : '–'}</td>
    <td class="number">${cycles}</td>
    <td>${status === 'ACTIVE' ? formatTime(nextBillingAt!) : '–'}</td>
    <td class="number">${displayAmount(outstanding, plan.price.currency)}</td>
  </tr>`;
}
