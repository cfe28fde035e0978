import type {
  ApiMisbehaviour,
  AppProfile,
  Buyer,
  DisputeStep,
  FundingSource,
  SyntheticWebhook,
  FoundPayments,
  Merchant,
  NotificationMisbehaviour,
  IpnMessage,
  NotificationState,
  OrderPaymentMethod,
  Payment,
  PaymentMatch,
  PaymentMethod,
  Postback,
  PostbackMode,
  RestApp,
  Settlement,
  Subscription,
  WebhookMessage,
} from './model.js';
import type { RunningSimulator, SimulatorOptions } from './server.js';

/** The fields of the merchant's form: `business`, `amount`, `notify_url`, `custom`, … */
export type PaymentForm = Record<string, string>;

export interface PayOptions {
  /** Default: `balance`. */
  with?: PaymentMethod;
  /** Only for the method `card`. Default: 4111 1111 1111 1111, which succeeds; 4000 0000 0000 0002 is declined. */
  card?: string;
  /** Default: John Buyer of the United States. */
  buyer?: Partial<Buyer>;
  /** What the buyer enters if the form contains no amount. */
  amount?: string;
  itemName?: string;
}

class PayPalRefused extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The name of the invalid field, if there is one. */
    readonly field?: string,
  ) {
    super(message);
  }
}

/** A page in one of the buyer's tabs. It is paid at most once, however often it is submitted. */
export class Checkout {
  constructor(
    readonly url: string,
    /** `cancel_return`. PayPal does not learn of the cancellation, and the page can still be paid. */
    readonly cancelUrl: string | null,
    private readonly call: Call,
  ) {}

  /** Throws PayPalRefused (402) when the card is declined; the page can be submitted again. */
  async pay(options: PayOptions = {}): Promise<Receipt> {
    const { with: method = 'balance', card = '4111111111111111', buyer = {}, amount, itemName } = options;
    const entered = { ...(amount !== undefined && { amount }), ...(itemName !== undefined && { itemName }) };
    const form = new URLSearchParams({ ...buyer, ...entered, method, ...(method === 'card' && { card }) });
    return (await this.call('POST', `${this.url}/pay`, form)) as Receipt;
  }
}

export interface Receipt {
  payment: Payment;
  /** Has PayPal's variables if PDT or auto-return is on; null without a `return`. */
  returnUrl: string | null;
}

type Call = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: URLSearchParams | object,
) => Promise<unknown>;

/** Long, because `advanceClock` waits for listeners that do not answer. */
const deadlineMs = 120_000;

/**
 * Controls the PayPal simulator over HTTP; the README has examples.
 *
 * Notifications are sent when they are due, several at a time and in no guaranteed order. To control the order: `misbehave(match, { hold: true })`,
 * then `deliver(ids)`.
 */
export class PayPalSimulator {
  private constructor(
    /** Such as `http://127.0.0.1:<port>`; for `PAYPAL_SIMULATOR_URL`. */
    readonly url: string,
    private readonly running?: RunningSimulator,
  ) {}

  /** Starts a simulator in this process. With `clock: 'frozen'`, time passes only by `advanceClock`, so no notification is repeated unexpectedly. */
  static async start(
    options: Pick<SimulatorOptions, 'clock' | 'pdtToken' | 'listenerTimeoutMs' | 'app' | 'webhookUrl'> = {},
  ): Promise<PayPalSimulator> {
    // Clients of a running simulator need no server.
    const { openSimulator } = await import('./server.js');
    const running = await openSimulator(options);
    return new PayPalSimulator(running.url, running);
  }

  /** `stack.json` has the address of a running simulator. */
  static at(url: string): PayPalSimulator {
    return new PayPalSimulator(url.replace(/\/$/, ''));
  }

  /** Does nothing for a simulator that runs elsewhere. */
  async stop(): Promise<void> {
    await this.running?.stop();
  }

  // --- The buyer -----------------------------------------------------------------------------------------------------

  /** Posts the merchant's form, as the buyer's browser does. Throws PayPalRefused (400 or 409) for what PayPal would refuse. */
  async openCheckout(form: PaymentForm): Promise<Checkout> {
    const answer = await this.call(
      'POST',
      '/cgi-bin/webscr',
      new URLSearchParams({ cmd: '_xclick', ...form }),
    );
    const { url, cancelUrl } = answer as { url: string; cancelUrl: string | null };
    return new Checkout(url, cancelUrl, this.call);
  }

  /** Resolves when it is paid, possibly before the merchant is notified. */
  async pay(form: PaymentForm, options?: PayOptions): Promise<Receipt> {
    return (await this.openCheckout(form)).pay(options);
  }

  /**
   * Approves an order of the REST API. Resolves with its `return_url`, to which PayPal adds `token` and `PayerID`; null if it has none. A browser
   * would follow the order's `payer-action` or `approve` link.
   */
  async approveOrder(
    orderId: string,
    options: { with?: OrderPaymentMethod; buyer?: Partial<Buyer> } = {},
  ): Promise<{ returnUrl: string | null }> {
    const answer = await this.call('POST', `/control/orders/${orderId}/approval`, options);
    return answer as { returnUrl: string | null };
  }

  /**
   * Approves a subscription of the REST API. It is charged immediately; with `user_action=CONTINUE`, only when the merchant activates it. Resolves
   * with its `return_url`, to which PayPal adds `subscription_id`, `ba_token` and `token`; null if it has none. A browser would follow the `approve`
   * link.
   *
   * @param options.with what happens to this charge and all later ones. Default: `ok`
   */
  async approveSubscription(
    subscriptionId: string,
    options: { with?: FundingSource; buyer?: Partial<Buyer> } = {},
  ): Promise<{ returnUrl: string | null }> {
    const answer = await this.call('POST', `/control/subscriptions/${subscriptionId}/approval`, options);
    return answer as { returnUrl: string | null };
  }

  /** The buyer approves the plan of a revision. Its price applies from the next cycle. */
  async approveRevision(subscriptionId: string): Promise<{ returnUrl: string | null }> {
    const answer = await this.call('POST', `/control/subscriptions/${subscriptionId}/revision-approval`, {});
    return answer as { returnUrl: string | null };
  }

  /** Sets what happens to later charges: `ok`, `declined`, or `echeck`, which is pending until `settle`. Buyers do this at `/myaccount/autopay`. */
  async setFunding(subscriptionId: string, fund: FundingSource): Promise<Subscription> {
    return this.changeSubscription(subscriptionId, 'fund', { fund });
  }

  /** The buyer or the merchant cancels inside PayPal, which is final. Throws PayPalRefused (422) unless the subscription is active or suspended. */
  async cancelSubscription(subscriptionId: string, reason?: string): Promise<Subscription> {
    return this.changeSubscription(subscriptionId, 'cancellation', {
      ...(reason !== undefined && { reason }),
    });
  }

  /** The merchant suspends inside PayPal. Throws PayPalRefused (422) if the subscription is not active. */
  async suspendSubscription(subscriptionId: string, reason?: string): Promise<Subscription> {
    return this.changeSubscription(subscriptionId, 'suspension', { ...(reason !== undefined && { reason }) });
  }

  // --- The merchant's account ----------------------------------------------------------------------------------------

  /**
   * Creates or changes a merchant, found by any of its addresses. An unknown address that is paid becomes a merchant by itself, so this is only for
   * other settings than the defaults.
   */
  async setUpMerchant(profile: { email: string } & Partial<Omit<Merchant, 'id'>>): Promise<Merchant> {
    return (await this.call('POST', '/control/merchants', profile)) as Merchant;
  }

  /**
   * Creates or changes an app of the REST API, found by its client id. Missing values are made up for a new app, and stay for a known one.
   * `webhookUrl` gives the app a webhook for `eventTypes` (default for a new webhook: all). Apps with the same `email` belong to one merchant.
   */
  async setUpApp(profile: AppProfile = {}): Promise<RestApp> {
    return (await this.call('POST', '/control/apps', profile)) as RestApp;
  }

  /** Calls with an access token from before are answered with 401. */
  async revokeTokens(): Promise<void> {
    await this.call('DELETE', '/control/tokens');
  }

  /** Refunds what is left, or a part (`'10.00'`). Throws PayPalRefused (409) if less is left. */
  async refund(transactionId: string, amount?: string): Promise<Payment> {
    return this.changePayment(transactionId, 'refunds', { ...(amount !== undefined && { amount }) });
  }

  /**
   * `opened`: a case notification (`txn_type=new_case`, without a `payment_status`), and the money is taken back: Reversed. With an amount, the buyer
   * disputes only that part. `won`, by the merchant: Canceled_Reversal. `lost`: Canceled_Reversal, and then Refunded.
   */
  async dispute(transactionId: string, step: DisputeStep, amount?: string): Promise<Payment> {
    return this.changePayment(transactionId, 'disputes', { step, ...(amount !== undefined && { amount }) });
  }

  /** Ends the pending state of a payment. Its `txn_id` remains the same. */
  async settle(transactionId: string, as: Settlement): Promise<Payment> {
    return this.changePayment(transactionId, 'settlement', { as });
  }

  async clearEcheck(transactionId: string): Promise<Payment> {
    return this.settle(transactionId, 'Completed');
  }

  async failEcheck(transactionId: string): Promise<Payment> {
    return this.settle(transactionId, 'Failed');
  }

  // --- What has happened ---------------------------------------------------------------------------------------------

  async ledger(match: PaymentMatch = {}): Promise<FoundPayments> {
    return (await this.call('GET', `/ledger?${query(match)}`)) as FoundPayments;
  }

  /** The newest 1000, oldest first, with all charges. */
  async subscriptions(match: { subscriptionId?: string; custom?: string } = {}): Promise<Subscription[]> {
    return (await this.call('GET', `/control/subscriptions?${query(match)}`)) as Subscription[];
  }

  /** The newest 1000, oldest first. Those of `sendIpn` match by their fields. */
  async ipns(match: PaymentMatch & { url?: string; state?: NotificationState } = {}): Promise<IpnMessage[]> {
    return (await this.call('GET', `/control/notices?${query(match)}`)) as IpnMessage[];
  }

  /** One for each event and address (more with `duplicate`): the newest 1000, oldest first. */
  async webhooks(
    match: PaymentMatch & { url?: string; state?: NotificationState } = {},
  ): Promise<WebhookMessage[]> {
    return (await this.call('GET', `/control/webhooks?${query(match)}`)) as WebhookMessage[];
  }

  /** The PEM of the root that the certificates of webhooks lead to. */
  async rootCertificate(): Promise<string> {
    return (await fetch(new URL('/simulated-root.pem', this.url))).text();
  }

  /** The newest 1000 requests with `cmd=_notify-validate`, oldest first. */
  async postbacks(): Promise<Postback[]> {
    return (await this.call('GET', '/control/postbacks')) as Postback[];
  }

  // --- Time ----------------------------------------------------------------------------------------------------------

  /** `ahead`: how far the clock is ahead of real time, in milliseconds. */
  async clock(): Promise<{ now: Date; ahead: number }> {
    return clockOf(await this.call('GET', '/control/clock'));
  }

  /**
   * Advances the clock by milliseconds (at most ten years) or to a time, for all users of this simulator. What becomes due is done at its own time
   * and in order. Each step waits for the answers to the messages of the step before. An IPN that is not accepted is repeated after 10 s, 20 s, 40
   * s…, 15 times within four days. Returns the new time. Throws PayPalRefused (409) for an earlier time.
   */
  async advanceClock(by: number | Date): Promise<Date> {
    const target = by instanceof Date ? { to: by.toISOString() } : { advanceMs: by };
    return clockOf(await this.call('POST', '/control/clock', target)).now;
  }

  /**
   * Sets the clock to any time, also in the past. Throws PayPalRefused (409) if there is a payment or a subscription. After a restart, a clock that
   * was behind real time shows real time.
   */
  async startClockAt(time: Date): Promise<void> {
    await this.call('POST', '/control/clock', { startAt: time.toISOString() });
  }

  /** Waits until no notification is being sent or due. Later repetitions may remain. */
  async waitUntilIdle(): Promise<void> {
    await this.call('GET', '/control/idle');
  }

  // --- Misbehaviour --------------------------------------------------------------------------------------------------

  /**
   * Makes matching IPNs and webhooks go wrong from now on. Only the newest matching rule applies. Match by `invoice` or `custom` before the payment
   * is made, because its first notification is sent immediately.
   */
  async misbehave(match: PaymentMatch, how: NotificationMisbehaviour): Promise<void> {
    await this.call('POST', '/control/misbehaviour', { match, how });
  }

  /** Makes calls of the REST API go wrong from now on. Only the newest matching rule applies. */
  async misbehaveApi(how: ApiMisbehaviour): Promise<void> {
    await this.call('POST', '/control/api-misbehaviour', how);
  }

  /** Removes the rules of `misbehave`, `misbehaveApi` and `setPostbackMode` for exactly this match, or all rules. Held notifications stay held. */
  async behave(match?: PaymentMatch): Promise<void> {
    await this.call('DELETE', '/control/misbehaviour', match && { match });
  }

  /**
   * Sends these IPNs or webhooks now, in this order, each after the answer to the one before; an id may occur twice. What was sent before is sent
   * again as if the merchant had asked PayPal to resend it: IPNs with `resend=true` (genuine ones are still VERIFIED), and genuine webhooks in a new
   * transmission.
   */
  async deliver<T extends IpnMessage | WebhookMessage = IpnMessage>(ids: string[]): Promise<T[]> {
    return (await this.call('POST', '/control/deliveries', { ids })) as T[];
  }

  /**
   * Sends a synthetic IPN to any listener, and waits for the answer.
   *
   * @param ipn.copyFromId the IPN to copy fields from. Default: the fields of an ordinary payment
   * @param ipn.fields fields to change; null removes a field. With the `charset` utf-8, the IPN is written in it, otherwise in windows-1252
   * @param ipn.genuine whether a postback of it is answered VERIFIED. Default true: anybody with a merchant account can make PayPal send such an IPN.
   * False: the IPN is a forgery
   * @param ipn.body the exact bytes (ASCII), for messages that cannot be expressed as fields
   */
  async sendIpn(ipn: {
    url: string;
    copyFromId?: string;
    fields?: Record<string, string | null>;
    genuine?: boolean;
    body?: string;
  }): Promise<IpnMessage> {
    return (await this.call('POST', '/control/notices', ipn)) as IpnMessage;
  }

  /** Waits for the listener's answer. */
  async sendWebhook(webhook: SyntheticWebhook): Promise<WebhookMessage> {
    return (await this.call('POST', '/control/webhooks', webhook)) as WebhookMessage;
  }

  /**
   * Sends forged webhooks with random signatures, `concurrency` (default 20) at a time. Each has an event id of its own unless `event` or `body`
   * contains the id. They are not recorded. Resolves with the number of answers by status, or by what went wrong.
   */
  async floodWebhooks(
    webhook: Omit<SyntheticWebhook, 'copyFromId' | 'genuine'> & { count: number; concurrency?: number },
  ): Promise<Record<string, number>> {
    return (await this.call('POST', '/control/floods', webhook)) as Record<string, number>;
  }

  /** Sets how postbacks of matching IPNs (default: all) are answered: from now on, or only the next `times` of them. */
  async setPostbackMode(
    mode: PostbackMode,
    { match = {}, times }: { match?: PaymentMatch; times?: number } = {},
  ): Promise<void> {
    await this.call('POST', '/control/postback', { mode, match, ...(times !== undefined && { times }) });
  }

  private async changePayment(transactionId: string, action: string, body: object): Promise<Payment> {
    return (await this.call('POST', `/control/payments/${transactionId}/${action}`, body)) as Payment;
  }

  private async changeSubscription(id: string, action: string, body: object): Promise<Subscription> {
    return (await this.call('POST', `/control/subscriptions/${id}/${action}`, body)) as Subscription;
  }

  private readonly call: Call = async (method, path, body) => {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        accept: 'application/json',
        ...(body && !(body instanceof URLSearchParams) && { 'content-type': 'application/json' }),
      },
      ...(body && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    });
    const answer = (await response.json()) as { error?: string; field?: string };
    if (!response.ok) {
      throw new PayPalRefused(response.status, answer.error ?? `HTTP ${response.status}`, answer.field);
    }
    return answer;
  };
}

function clockOf(answer: unknown): { now: Date; ahead: number } {
  const { now, ahead } = answer as { now: string; ahead: number };
  return { now: new Date(now), ahead };
}

function query(match: object): URLSearchParams {
  const set = Object.entries(match as Record<string, string | undefined>).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new URLSearchParams(set);
}
