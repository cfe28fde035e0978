import { Html, html } from '../../shared/html.js';
import type { PaymentRecord } from '../ledger.js';
import { matchesFields } from '../misbehaviours.js';
import type { NotificationRecord, WebhookPart } from '../notifications.js';
import type { PayPal } from '../paypal.js';
import { displayAmount } from './checkout-page.js';
import { page } from './page.js';
import { subscriptionTable } from './subscription-pages.js';
import { formatTime } from './time.js';

const maxShown = 50;

export function consolePage(paypal: PayPal, invoice = ''): string {
  const found = paypal.ledger.list(invoice ? { invoice } : {}).reverse();
  const shown = found.slice(0, maxShown);
  const body = html`
    <h1>Payments</h1>
    ${clockBar(paypal)}
    <form method="get" action="/" class="bar" role="search">
      <label for="invoice">Invoice</label>
      <input id="invoice" name="invoice" value="${invoice}" autocomplete="off" />
      <button>Find</button>
      ${invoice && html`<a href="/">All payments</a>`}
    </form>
    ${
      shown.length === 0
        ? html`<p>${invoice ? 'No payment has this invoice.' : 'No payments yet.'}</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Payments">
            <table>
              <thead>
                <tr>
                  <th scope="col">Transaction</th>
                  <th scope="col" class="number">Amount</th>
                  <th scope="col">Status</th>
                  <th scope="col">Item</th>
                  <th scope="col">Invoice</th>
                  <th scope="col">Buyer</th>
                  <th scope="col">Merchant</th>
                  <th scope="col">Time (UTC)</th>
                </tr>
              </thead>
              <tbody>
                ${shown.map((payment) => paymentRow(payment))}
              </tbody>
            </table>
          </div>`
    }
    ${found.length > shown.length && html`<p class="quiet">Showing the newest ${maxShown} of ${found.length}.</p>`}
    ${invoice === '' && subscriptionTable(paypal)}
    <p class="quiet">
      The same as JSON, for tests: <a href="/ledger">/ledger</a>,
      <a href="/control/subscriptions">/control/subscriptions</a>,
      <a href="/control/notices">/control/notices</a>, <a href="/control/webhooks">/control/webhooks</a>.
    </p>
  `;
  return page('Payments', body, { wide: true });
}

function clockBar(paypal: PayPal): Html {
  const waiting = paypal.notifications.all.filter(({ state }) => state === 'waiting').length;
  return html`<form method="post" action="/console/clock" class="bar">
    <span
      >The clock shows <time>${formatTime(paypal.clock.now())}</time> UTC; ${waiting}
      ${waiting === 1 ? 'notification is' : 'notifications are'} waiting. Advance the clock by</span
    >
    <button name="hours" value="1">1 hour</button>
    <button name="hours" value="24">1 day</button>
    <button name="hours" value="96">4 days</button>
    <button name="hours" value="744">31 days</button>
  </form>`;
}

function paymentRow({
  transactionId,
  purchase,
  entries,
  buyer,
  gross,
  standing,
  dispute,
}: PaymentRecord): Html {
  return html`<tr>
    <th scope="row">
      <a href="/console/payments/${transactionId}"><code>${transactionId}</code></a>
    </th>
    <td class="number">${displayAmount(gross, purchase.currency)}</td>
    <td>${standingWords(standing, dispute)}</td>
    <td>${purchase.itemName || '–'}</td>
    <td>${purchase.invoice || '–'}</td>
    <td>${buyer.firstName} ${buyer.lastName}</td>
    <td>${purchase.business}</td>
    <td>${formatTime(entries[0]!.at)}</td>
  </tr>`;
}

function standingWords(standing: string, dispute: string | null): string {
  const words = standing.replaceAll('_', ' ');
  return dispute ? `${words} (dispute ${dispute})` : words;
}

export function paymentPage(paypal: PayPal, payment: PaymentRecord, fault?: string): string {
  const { transactionId, purchase, buyer, standing, dispute, gross, refunded } = payment;
  const amount = (minor: number) => displayAmount(minor, purchase.currency);
  const notifications = notificationsAbout(payment, paypal);
  const body = html`
    <p><a href="/">All payments</a></p>
    <h1>${amount(gross)} from ${buyer.firstName} ${buyer.lastName}</h1>
    ${fault && html`<p class="alert" role="alert">${fault}</p>`}
    <dl class="rows card">
      <div>
        <dt>Transaction</dt>
        <dd><code>${transactionId}</code></dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>${standingWords(standing, dispute)}</dd>
      </div>
      <div>
        <dt>Merchant</dt>
        <dd>${purchase.business}</dd>
      </div>
      <div>
        <dt>Item</dt>
        <dd>${purchase.itemName || '–'}</dd>
      </div>
      <div>
        <dt>Invoice</dt>
        <dd>${purchase.invoice || '–'}</dd>
      </div>
      ${
        payment.orderId !== null &&
        html`<div>
          <dt>Order</dt>
          <dd><code>${payment.orderId}</code></dd>
        </div>`
      }
      ${
        payment.subscriptionId !== null &&
        html`<div>
          <dt>Subscription</dt>
          <dd><code>${payment.subscriptionId}</code></dd>
        </div>`
      }
      <div>
        <dt>Notifications go to</dt>
        <dd>${listenerAddresses(payment, paypal)}</dd>
      </div>
    </dl>
    ${actions(payment, amount(gross - refunded))}
    <h2>Ledger entries</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Ledger entries">
      <table>
        <thead>
          <tr>
            <th scope="col">Time (UTC)</th>
            <th scope="col">Transaction</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">Amount</th>
            <th scope="col" class="number">Fee</th>
          </tr>
        </thead>
        <tbody>
          ${payment.entries.map(
            (entry) =>
              html`<tr>
                <td>${formatTime(entry.at)}</td>
                <td><code>${entry.transactionId}</code></td>
                <td>${entry.status.replaceAll('_', ' ')}</td>
                <td class="number">${amount(entry.gross)}</td>
                <td class="number">${entry.fee === null ? '–' : amount(entry.fee)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <h2>Notifications</h2>
    ${notifications.length === 0 ? html`<p>No notifications yet.</p>` : notifications.map((notification) => notificationItem(notification, transactionId))}
  `;
  return page(`Payment ${transactionId}`, body, { wide: true });
}

export function notificationsAbout(
  { transactionId, orderId }: PaymentRecord,
  { notifications }: PayPal,
): NotificationRecord[] {
  return notifications.all.filter(
    ({ payment, fields }) =>
      payment === transactionId || (orderId !== null && matchesFields({ orderId }, fields)),
  );
}

/** Leaves out the webhooks for a payment by form, because PayPal sends them only the events of the payment's disputes. */
function listenerAddresses({ purchase, orderId, subscriptionId }: PaymentRecord, { rest }: PayPal): Html {
  const isByForm = orderId === null && subscriptionId === null;
  const webhooks = isByForm ? [] : rest.apps.webhooksOfMerchant(purchase.merchantId).map(({ url }) => url);
  const addresses = [...(purchase.notifyUrl === null ? [] : [purchase.notifyUrl]), ...webhooks];
  return addresses.length === 0 ? html`–` : html`${addresses.map((url) => html`<div>${url}</div>`)}`;
}

function actions({ transactionId, standing, dispute, purchase }: PaymentRecord, refundable: string): Html {
  const button = (action: string, label: string) =>
    html`<button name="action" value="${action}">${label}</button>`;
  const hasMoney = standing === 'Completed' || standing === 'Partially_Refunded';
  const form = (content: Html) =>
    html`<form method="post" action="/console/payments/${transactionId}" class="bar">${content}</form>`;
  if (hasMoney) {
    return html`
      ${form(html`
        <label for="amount">Refund (${purchase.currency})</label>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          placeholder="all: ${refundable}"
        />
        ${button('refund', 'Refund')}
      `)}
      ${form(button('opened', 'Open a dispute'))}
    `;
  }
  if (standing === 'Pending') {
    return form(
      html`${button('Completed', 'Clear')} ${button('Failed', 'Fail')} ${button('Denied', 'Deny')}`,
    );
  }
  if (dispute === 'opened') {
    return form(
      html`${button('won', 'Merchant wins the dispute')} ${button('lost', 'Merchant loses the dispute')}`,
    );
  }
  return html`<p class="quiet">No further actions are possible.</p>`;
}

function notificationItem(
  { id, about, state, deliveries, nextAt, body, webhook }: NotificationRecord,
  transactionId: string,
): Html {
  const text = webhook ? `${headersOf(webhook)}\n\n${indented(body)}` : body.replaceAll('&', '\n');
  return html`<details class="notification">
    <summary>
      ${about.replaceAll('_', ' ')}: ${state}${nextAt !== null && `, next at ${formatTime(nextAt)}`},
      attempted ${deliveries.length} ${deliveries.length === 1 ? 'time' : 'times'}
    </summary>
    <ul>
      ${deliveries.map(
        ({ at, status, fault }) =>
          html`<li>${formatTime(at)}: ${status === null ? fault : `answered ${status}`}</li>`,
      )}
    </ul>
    <pre tabindex="0">${text}</pre>
    <form method="post" action="/console/payments/${transactionId}" class="bar">
      <input type="hidden" name="notification" value="${id}" />
      <button name="action" value="resend">${deliveries.length === 0 ? 'Send now' : 'Send again'}</button>
    </form>
  </details>`;
}

const headersOf = ({ headers }: WebhookPart) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Returns anything but JSON unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
