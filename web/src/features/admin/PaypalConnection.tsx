import { useId } from 'react';
import type { PaypalConnection as Connection, PaypalConnectionCheck } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { Waiting } from '../../components/Waiting.js';
import { showToast } from '../../lib/toasts.js';
import { Details } from '../../workspace/Details.js';
import { Failure } from '../../workspace/Failure.js';
import { StatusWord } from '../../workspace/orders/StatusWord.js';
import type { Query } from '../../workspace/query.js';
import { When } from '../../workspace/When.js';

export function PaypalConnection({ connection }: { connection: Query<Connection> }) {
  const { data, problem, reading, retry } = connection;
  const titleId = useId();
  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className="panel__head">
        <h2 id={titleId}>PayPal connection</h2>
        {data && (
          <button
            className="button button--quiet"
            type="button"
            aria-disabled={reading}
            onClick={() => reading || retry()}
          >
            {reading ? 'Checking…' : 'Check again'}
          </button>
        )}
      </div>
      <Failure query={connection} />
      {data ? <ConnectionDetails connection={data} checking={reading} /> : !problem && <Waiting />}
    </section>
  );
}

const products: Record<Connection['product'], string> = {
  standard: 'PayPal Payments Standard',
  checkout: 'PayPal Checkout',
};

const modes: Record<Connection['mode'], string> = {
  simulator: 'Simulator: no real money',
  sandbox: 'Sandbox: no real money',
  live: 'Live',
};

function ConnectionDetails({ connection, checking }: { connection: Connection; checking: boolean }) {
  const { product, mode, notificationUrl, lastNotificationAt, checks } = connection;
  return (
    <>
      <p role="status">{checking ? 'Checking…' : summary(checks)}</p>
      <Details
        items={[
          ['Product', products[product]],
          ['Mode', modes[mode]],
          ...checks.map((check) => [checkName(check, product), <CheckResult check={check} />] as const),
          ['Last notification', lastNotificationAt ? <When at={lastNotificationAt} time /> : 'None yet'],
        ]}
      />
      {product === 'checkout' ? <WebhookAddress url={notificationUrl} /> : <AboutCheckout />}
    </>
  );
}

function summary(checks: readonly PaypalConnectionCheck[]): string {
  const problems = checks.filter(({ state }) => state === 'problem').length;
  // Before the first payment, the check of notifications is normally unknown.
  const isPartial = checks.some(({ check, state }) => state === 'unknown' && check !== 'notifications');
  if (problems === 0) return isPartial ? 'Not everything could be checked.' : 'No problems found.';
  return problems === 1 ? '1 problem found.' : `${problems} problems found.`;
}

const checkNames: Record<PaypalConnectionCheck['check'], string> = {
  credentials: 'Credentials',
  webhook: 'Webhook',
  events: 'Webhook events',
  disputes: 'Disputes',
  clock: 'Server clock',
  notifications: 'Notifications',
};

const checkName = ({ check }: PaypalConnectionCheck, product: Connection['product']) =>
  check === 'credentials' && product === 'standard' ? 'PayPal e-mail' : checkNames[check];

const states = {
  ok: { tone: 'good', text: 'OK' },
  problem: { tone: 'fault', text: 'Problem' },
  unknown: { tone: 'waiting', text: 'Unknown' },
} as const;

const CheckResult = ({ check: { state, sentence } }: { check: PaypalConnectionCheck }) => (
  <StatusWord status={{ ...states[state], note: sentence }} />
);

function WebhookAddress({ url }: { url: string }) {
  return (
    <div className="webhook-url">
      <Field
        name="webhook-url"
        label="Webhook URL"
        hint="The webhook of your app in PayPal’s developer dashboard must have this address."
        dir="ltr"
        readOnly
        value={url}
        onFocus={({ target }) => target.select()}
        action={
          <button className="field__action" type="button" onClick={() => void copy('webhook-url', url)}>
            Copy<span className="visually-hidden"> webhook URL</span>
          </button>
        }
      />
    </div>
  );
}

/** Browsers may refuse access to the clipboard, as they do without HTTPS. The field is then selected for copying by keyboard. */
async function copy(fieldId: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast('Webhook URL copied');
  } catch {
    document.getElementById(fieldId)?.focus();
  }
}

function AboutCheckout() {
  return (
    <p className="field__hint">
      With PayPal Checkout, PayPal’s newer product, you can also refund payments from an order’s screen. To
      switch, ask your server’s administrator to set <code>PAYPAL_CLIENT_ID</code>,{' '}
      <code>PAYPAL_CLIENT_SECRET</code> and <code>PAYPAL_WEBHOOK_ID</code>, as described under “Set up PayPal
      Checkout” in <code>docs/operations/payments.md</code>.
    </p>
  );
}
