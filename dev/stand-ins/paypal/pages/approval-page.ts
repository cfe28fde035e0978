import { type Html, html } from '../../shared/html.js';
import type { Merchant, OrderPaymentMethod } from '../model.js';
import type { Refusal } from '../refusal.js';
import type { OrderRecord } from '../rest/orders.js';
import { buyerFields, type Choice, choices, displayAmount, emailOf } from './checkout-page.js';
import { page } from './page.js';

/** `OrderPaymentMethod` explains how `declined` and `refused` differ. */
const methods: (Choice & { id: OrderPaymentMethod })[] = [
  { id: 'balance', label: 'PayPal balance', hint: 'Paid when the shop captures the order.' },
  { id: 'card', label: 'Card', hint: 'Paid when the shop captures the order.' },
  { id: 'declined', label: 'Declined card', hint: 'The capture call fails, and you can pay in another way.' },
  { id: 'refused', label: 'Refused payment', hint: 'The order is completed, but its capture is declined.' },
  { id: 'echeck', label: 'E-check', hint: 'Pending until the bank clears it, or it fails.' },
  { id: 'review', label: 'Payment under review', hint: 'Pending until PayPal has reviewed it.' },
];

export interface ApprovalPageInput {
  order: OrderRecord;
  merchant: Merchant;
  cancelUrl: string | null;
  /** What the buyer entered, by the name of the field; empty unless the page is shown again after a refusal. */
  submitted: Record<string, string>;
  refusal: Refusal | undefined;
}

export function approvalPage({ order, merchant, cancelUrl, submitted, refusal }: ApprovalPageInput): string {
  const { amount, description, invoiceId } = order.request;
  const total = displayAmount(amount.minor, amount.currency);
  const approvedNote =
    order.approval &&
    !refusal &&
    html`<p class="quiet">
      You have approved this payment, but the shop has not captured it. You can approve it again, and choose
      another way to pay.
    </p>`;
  return approvalLayout({
    title: `Pay ${total}`,
    merchant,
    rows: html`${row('Item', description ?? '–')} ${invoiceId !== null && row('Invoice', invoiceId)}`,
    total,
    action: `/checkoutnow?token=${order.id}`,
    fields: html`${approvedNote} ${choices(methods, submitted.method ?? 'balance')}
    ${buyerFields(submitted, refusal)}`,
    submit: `Pay ${total}`,
    close: 'Pay, then close the window',
    cancelUrl,
    refusal,
  });
}

interface ApprovalContent {
  title: string;
  merchant: Merchant;
  rows: Html;
  total: string;
  /** Where the form is submitted to. */
  action: string;
  fields: Html;
  submit: string;
  /** The text of the button that approves without returning to the shop. */
  close: string;
  cancelUrl: string | null;
  refusal: Refusal | undefined;
}

export function approvalLayout(content: ApprovalContent): string {
  const { title, refusal, cancelUrl } = content;
  const body = html`
    <div class="checkout">
      <section class="summary" aria-labelledby="summary">
        <h1 id="summary">${title}</h1>
        <p class="merchant">to ${emailOf(content.merchant)}</p>
        <dl class="rows">
          ${content.rows}
          <div class="total">
            <dt>Total</dt>
            <dd>${content.total}</dd>
          </div>
        </dl>
      </section>
      <form method="post" action="${content.action}" novalidate class="stack">
        ${refusal && html`<p class="alert" role="alert" id="refusal">${refusal.message}</p>`}
        ${content.fields}
        <button class="primary">${content.submit}</button>
        <button class="secondary" name="action" value="close">${content.close}</button>
        ${
          cancelUrl !== null
            ? html`<a class="secondary" href="${cancelUrl}">Cancel and return to merchant</a>`
            : html`<p class="quiet">To cancel, close this page.</p>`
        }
      </form>
    </div>
  `;
  return page(title, body);
}

export const row = (name: string, value: string) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** For a buyer who does not return to the shop. */
export function approvedPage(what: string): string {
  const body = html`<section class="stack sheet">
    <h1>You approved ${what}</h1>
    <p>
      You have not returned to the shop, so only PayPal can notify it of the approval. You can close this
      window.
    </p>
  </section>`;
  return page('Approved', body);
}

const unavailable = {
  paid: ['You have already paid', 'The shop has captured this payment. You are not charged twice.'],
  captureDeclined: [
    'Your payment was declined',
    'You were not charged. Go back to the shop and pay in another way.',
  ],
  expired: ['This order has expired', 'There is nothing to pay here. Go back to the shop and try again.'],
  approvedOrWithdrawn: [
    'There is nothing to approve',
    'You have approved this already, or the shop has withdrawn it.',
  ],
} as const;

export function unavailablePage(why: keyof typeof unavailable, order?: OrderRecord): string {
  const [heading, text] = unavailable[why];
  const back = order?.request.returnUrl;
  const body = html`<section class="stack sheet">
    <h1>${heading}</h1>
    <p>${text}</p>
    ${back && html`<a class="primary" href="${new URL(back).origin}">Go to the shop</a>`}
  </section>`;
  return page(heading, body);
}
