import { groupDigits, testCards } from '../cards.js';
import { type Purchase, totalOf } from '../purchase.js';
import { type CheckoutSession, defaultBuyer } from '../checkouts.js';
import type { PaymentRecord } from '../ledger.js';
import type { Merchant, PaymentMethod } from '../model.js';
import { formatAmount } from '../money.js';
import type { Refusal } from '../refusal.js';
import { Html, html } from '../../shared/html.js';
import { page } from './page.js';

/** `$49.00`. */
export function displayAmount(minor: number, currency: string): string {
  const number = Number(formatAmount(minor, currency));
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(number);
}

/** Without `review`, which only programs choose (`PayPalSimulator.pay`). */
const methods: (Choice & { id: PaymentMethod })[] = [
  { id: 'balance', label: 'PayPal balance', hint: 'Paid at once.' },
  { id: 'card', label: 'Card', hint: 'Paid at once, or declined.' },
  { id: 'echeck', label: 'E-check', hint: 'Pending until the bank clears it, or it fails.' },
];

export interface CheckoutPageInput {
  session: CheckoutSession;
  merchant: Merchant;
  /** What the buyer entered, by the name of the field; empty unless the page is shown again after a refusal. */
  submitted?: Record<string, string>;
  refusal?: Refusal | undefined;
}

export function checkoutPage({ session, merchant, submitted = {}, refusal }: CheckoutPageInput): string {
  const { purchase, token } = session;
  const total = purchase.amount === null ? null : totalOf(purchase, purchase.amount);
  const payText = total === null ? 'Pay' : `Pay ${displayAmount(total, purchase.currency)}`;
  const method = submitted.method ?? 'balance';
  const field = fieldRenderer(submitted, refusal);
  const body = html`
    <div class="checkout">
      <section class="summary" aria-labelledby="summary">
        <h1 id="summary">${payText}</h1>
        <p class="merchant">to ${emailOf(merchant)}</p>
        ${summary(purchase)}
      </section>
      <form method="post" action="/checkout/${token}/pay" novalidate class="stack">
        ${refusal && html`<p class="alert" role="alert" id="refusal">${refusal.message}</p>`}
        ${purchase.itemName === '' && field('itemName', 'What are you paying for?', { optional: true })}
        ${
          purchase.amount === null &&
          field('amount', `Amount in ${purchase.currency}`, { inputmode: 'decimal' })
        }
        ${choices(methods, method)}
        <div class="card-fields stack">
          ${field('card', 'Card number', { inputmode: 'numeric', describedBy: 'test-cards' })}
          <div id="test-cards">
            <p class="quiet">Test numbers:</p>
            <ul class="quiet">
              ${testCards.map(
                ({ number, brand, declineMessage }) =>
                  html`<li>
                    <code>${groupDigits(number)}</code> ${brand}, ${declineMessage ? 'declined' : 'accepted'}
                  </li>`,
              )}
            </ul>
          </div>
        </div>
        ${buyerFields(submitted, refusal)}
        <button class="primary">${payText}</button>
        ${
          purchase.cancelUrl
            ? html`<a class="secondary" href="${purchase.cancelUrl}">Cancel and return to merchant</a>`
            : html`<p class="quiet">To cancel, close this page.</p>`
        }
      </form>
    </div>
  `;
  return page(payText, body);
}

export interface Choice {
  id: string;
  label: string;
  hint: string;
}

export const choices = (methods: Choice[], chosen: string): Html =>
  html`<fieldset>
    <legend>Pay with</legend>
    ${methods.map(
      ({ id, label, hint }) => html`
        <label class="choice">
          <input type="radio" name="method" value="${id}" ${checked(id === chosen)} />
          <span>${label}<small>${hint}</small></span>
        </label>
      `,
    )}
  </fieldset>`;

export function buyerFields(submitted: Record<string, string>, refusal: Refusal | undefined): Html {
  const field = fieldRenderer(submitted, refusal);
  return html`<details ${refusal?.field && refusal.field in defaultBuyer && new Html('open')}>
    <summary>
      Paying as ${submitted.firstName ?? defaultBuyer.firstName}
      ${submitted.lastName ?? defaultBuyer.lastName}
    </summary>
    <div class="stack">
      ${field('firstName', 'First name', { value: defaultBuyer.firstName })}
      ${field('lastName', 'Last name', { value: defaultBuyer.lastName })}
      ${field('email', 'E-mail', { value: defaultBuyer.email, type: 'email' })}
      ${field('countryCode', 'Country (two letters)', { value: defaultBuyer.countryCode })}
    </div>
  </details>`;
}

/** A line break is allowed before the @. */
export function emailOf({ email }: Merchant): Html {
  const [name, host] = email.split('@');
  return html`${name}<wbr />@${host}`;
}

function summary(purchase: Purchase): Html {
  const { currency, quantity, tax, shipping, handling, discount } = purchase;
  const amount = (minor: number) => displayAmount(minor, currency);
  const rows: [string, string][] = [];
  rows.push(['Item', purchase.itemName || '–']);
  if (purchase.itemNumber) rows.push(['Item number', purchase.itemNumber]);
  if (quantity > 1) rows.push(['Quantity', String(quantity)]);
  if (purchase.amount !== null) rows.push([quantity > 1 ? 'Each' : 'Price', amount(purchase.amount)]);
  if (discount) rows.push(['Discount', `−${amount(discount)}`]);
  if (tax) rows.push(['Tax', amount(tax)]);
  if (shipping + handling) rows.push(['Shipping and handling', amount(shipping + handling)]);
  if (purchase.invoice) rows.push(['Invoice', purchase.invoice]);
  return html`<dl class="rows">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
    ${
      purchase.amount !== null &&
      html`<div class="total">
        <dt>Total</dt>
        <dd>${amount(totalOf(purchase, purchase.amount))}</dd>
      </div>`
    }
  </dl>`;
}

interface FieldOptions {
  value?: string;
  type?: string;
  inputmode?: string;
  describedBy?: string;
  optional?: boolean;
}

function fieldRenderer(submitted: Record<string, string>, refusal: Refusal | undefined) {
  return (name: string, label: string, options: FieldOptions = {}): Html => {
    const { value = '', type = 'text', inputmode, describedBy, optional } = options;
    const bad = refusal?.field === name;
    const descriptions = [bad && 'refusal', describedBy].filter(Boolean).join(' ');
    // Browsers must not remember what people enter on this page.
    return html`<div class="field">
      <label for="${name}">${label}${optional && html` <small>(optional)</small>`}</label>
      <input
        id="${name}"
        name="${name}"
        type="${type}"
        value="${submitted[name] ?? value}"
        autocomplete="off"
        ${inputmode && html`inputmode="${inputmode}"`}
        ${bad && new Html('aria-invalid="true"')}
        ${descriptions && html`aria-describedby="${descriptions}"`}
      />
    </div>`;
  };
}

const checked = (yes: boolean) => yes && new Html('checked');

export interface ReceiptPageInput {
  session: CheckoutSession;
  payment: PaymentRecord;
  merchant: Merchant;
  returnUrl: string | null;
  /** With `rm=2`, the buyer returns with a POST of these fields. */
  posted: [string, string][] | null;
}

export function receiptPage({ session, payment, merchant, returnUrl, posted }: ReceiptPageInput): string {
  const { purchase } = payment;
  const amount = displayAmount(payment.gross, purchase.currency);
  const isPending = payment.entries[0]?.status === 'Pending';
  const heading = isPending ? `Your payment of ${amount} is on its way` : `You paid ${amount}`;
  const explanation = {
    echeck:
      'An e-check takes a few days. The merchant is notified that it is pending, and again when it has cleared.',
    review: 'PayPal reviews this payment first. The merchant is notified that it is pending.',
    balance: 'The merchant is being notified.',
    card: 'The merchant is being notified.',
  }[payment.paidWith];
  const back =
    returnUrl && posted
      ? html`<form method="post" action="${returnUrl}">
          ${posted.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
          <button class="primary">Return to merchant</button>
        </form>`
      : returnUrl && html`<a class="primary" href="${returnUrl}">Return to merchant</a>`;
  const body = html`
    <section class="stack sheet">
      <h1>${heading}</h1>
      <p>${explanation}</p>
      <dl class="rows">
        <div>
          <dt>To</dt>
          <dd>${emailOf(merchant)}</dd>
        </div>
        <div>
          <dt>Transaction</dt>
          <dd><code>${payment.transactionId}</code></dd>
        </div>
        <div>
          <dt>Item</dt>
          <dd>${purchase.itemName || '–'}</dd>
        </div>
        ${
          purchase.invoice &&
          html`<div>
            <dt>Invoice</dt>
            <dd>${purchase.invoice}</dd>
          </div>`
        }
      </dl>
      ${back}
      <a class="secondary" href="/checkout/${session.token}/closed">Close without returning</a>
    </section>
  `;
  return page(heading, body);
}

export function closedPage(): string {
  const body = html`<section class="stack sheet">
    <h1>You can close this window</h1>
    <p>You have not returned to the shop, so only PayPal can notify it of the payment.</p>
  </section>`;
  return page('Closed', body);
}

export function refusalPage({ message, field }: Refusal): string {
  const body = html`<section class="stack sheet">
    <h1>This payment cannot be made</h1>
    <p>${message}</p>
    ${field && html`<p class="quiet">Form field: <code>${field}</code></p>`}
    <p class="quiet">Go back to the shop and try again.</p>
  </section>`;
  return page('This payment cannot be made', body);
}
