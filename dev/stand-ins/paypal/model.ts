// The types of the simulator's control API, over HTTP and in `PayPalSimulator`. Amounts are decimal text as PayPal writes
// them ('49.00', '-49.00', '1200' in yen); times are ISO 8601 on the simulator's clock.

/** `payment_status` of a notification, as PayPal spells it. */
export type PaymentStatus =
  | 'Completed'
  | 'Pending'
  | 'Failed'
  | 'Denied'
  | 'Expired'
  | 'Voided'
  | 'Refunded'
  | 'Reversed'
  | 'Canceled_Reversal';

/** The current status of a payment. */
export type PaymentStanding = Exclude<PaymentStatus, 'Canceled_Reversal'> | 'Partially_Refunded';

/** `review` is a payment that PayPal reviews first: Pending with `pending_reason=paymentreview`. */
export type PaymentMethod = 'balance' | 'card' | 'echeck' | 'review';

/**
 * How the buyer of a REST order pays. `declined`: the capture is refused with INSTRUMENT_DECLINED, and the buyer may come back.
 * `refused`: the order is captured, but its capture is DECLINED.
 */
export type OrderPaymentMethod = PaymentMethod | 'declined' | 'refused';

/** How a pending payment can end. */
export type Settlement = 'Completed' | 'Failed' | 'Denied' | 'Expired' | 'Voided';

export type DisputeStep = 'opened' | 'won' | 'lost';

export interface Buyer {
  firstName: string;
  lastName: string;
  email: string;
  /** Two letters. */
  countryCode: string;
}

export interface Merchant {
  /** 13 characters; `receiver_id` of its notifications. */
  id: string;
  /** `receiver_email` of its notifications, whichever of its addresses was paid. */
  email: string;
  /** Secondary addresses, which can be paid to as well. */
  otherEmails: string[];
  /** The encoding of its notifications; PayPal's default is windows-1252. It does not depend on the form's `charset`. */
  charset: 'windows-1252' | 'utf-8';
  /** The identity token of PDT; null while PDT is off. */
  pdtToken: string | null;
  /** Whether the buyer is sent back immediately instead of having to follow a link; never with `rm=2`. */
  autoReturn: boolean;
  /** Refuses a second payment with the `invoice` of a completed one ("block accidental payments"). */
  blocksDuplicateInvoices: boolean;
  /** The address for IPNs about orders of the REST API, and about forms that contain no address. */
  notifyUrl: string | null;
  /** The tax that the account adds to a form without `tax`, such as `21.00`. */
  profileTax: string | null;
  /** The shipping that the account adds to a form without `shipping`, such as `5.00`. */
  profileShipping: string | null;
}

/** One entry of the ledger: the payment itself, its settlement, a refund, a reversal… */
interface LedgerEntry {
  /** `txn_id`: the payment's own for the payment and its settlement, a new one for a refund, a reversal or the end of one. */
  transactionId: string;
  status: PaymentStatus;
  /** The signed amount that the merchant's account gained or, with the status Pending, Failed, Denied, Expired or Voided, would have gained. */
  gross: string;
  /** The signed fee; null if PayPal has charged none. */
  fee: string | null;
  pendingReason: string | null;
  reasonCode: string | null;
  at: string;
  /** What the merchant wrote to the buyer about a refund by the REST API. */
  note?: string;
}

export interface Payment {
  /** 17 characters; `txn_id`. */
  transactionId: string;
  merchant: { id: string; email: string };
  /** The address that was paid, in lower case; the primary one if the form named the account by its id. */
  business: string;
  gross: string;
  currency: string;
  /** PayPal's fee for the payment itself; null while it is pending or if it failed. */
  fee: string | null;
  /** The sum of refunds, positive. */
  refunded: string;
  standing: PaymentStanding;
  dispute: DisputeStep | null;
  paidWith: PaymentMethod;
  buyer: Buyer;
  invoice: string;
  custom: string;
  itemName: string;
  itemNumber: string;
  quantity: number;
  notifyUrl: string | null;
  /** The REST order whose capture this payment is; null for any other payment. */
  orderId: string | null;
  /** The subscription that this payment is a charge of; null for any other payment. */
  subscriptionId: string | null;
  /** Oldest first; the first is the payment itself. */
  entries: LedgerEntry[];
}

export type SubscriptionStatus =
  | 'APPROVAL_PENDING'
  | 'APPROVED'
  | 'ACTIVE'
  | 'SUSPENDED'
  | 'CANCELLED'
  | 'EXPIRED';

/** How the charges of a subscription turn out: paid, refused, or pending until `settle`. */
export type Fund = 'ok' | 'declined' | 'echeck';

/** The true state of a subscription. */
export interface Subscription {
  id: string;
  status: SubscriptionStatus;
  /** The reason that was given for the last change of the status; null if there was none. */
  statusNote: string | null;
  planId: string;
  planName: string;
  /** What a cycle costs. */
  price: string;
  currency: string;
  custom: string;
  merchant: { id: string; email: string };
  /** Null before the approval. */
  buyer: Buyer | null;
  fund: Fund;
  createdAt: string;
  /** The time of the first charge; null before it. */
  startedAt: string | null;
  /** How many cycles were billed, paid or not. */
  cyclesBilled: number;
  /** Null before the first charge, and after the end. */
  nextBillingAt: string | null;
  /** When a failed charge is tried again; null if it is not. */
  retryAt: string | null;
  /** What was billed and is neither paid nor pending. */
  outstanding: string;
  /** How many charges have failed since the last success. */
  failedPayments: number;
  /** The plan that the buyer has yet to approve: the subscription's first one, or that of a revision. Null if there is none. */
  proposedPlanId: string | null;
  /** Every attempt to charge, oldest first. */
  charges: Payment[];
}

/** Matches by fields of the form, even before there is a payment, or by the payment. Missing properties match everything. */
export interface PaymentMatch {
  invoice?: string;
  custom?: string;
  transactionId?: string;
  /** An order of the REST API. IPNs do not match by it. */
  orderId?: string;
  /** A subscription of the REST API, with all its charges. */
  subscriptionId?: string;
}

/** The true state of the payments that match. */
export interface Ledger {
  now: string;
  /** How many payments match; the answer holds the newest 1000 of them, oldest first. */
  total: number;
  payments: Payment[];
}

/** One attempt to deliver an IPN or a webhook. */
export interface Delivery {
  at: string;
  /** The status of the listener's answer; null when there was none. Only 200 for an IPN, or any 2xx for a webhook, ends the repetition. */
  status: number | null;
  /** Why there was no answer. */
  fault: string | null;
}

export type NotificationState =
  /** Due now or later (`nextAt`), or on its way. */
  | 'waiting'
  /** Held by `hold` until `deliver` sends it. */
  | 'held'
  /** Answered with 200, or for a webhook with any 2xx. */
  | 'delivered'
  /** All attempts failed. */
  | 'given up'
  /** Not sent, because of `drop`. */
  | 'dropped';

/** One IPN to one listener. */
export interface IpnMessage {
  id: string;
  url: string;
  /** The payment that it is about; null for an IPN of `sendIpn`. */
  payment: string | null;
  /** `txn_type` of a case notification (`new_case`), else the `payment_status`. */
  about: string;
  /** What PayPal wrote, decoded, in its order. If `sendIpn` was given a `body`, the fields that the body replaced. */
  fields: [string, string][];
  /** The bytes that go out (ASCII: everything else is percent-encoded). */
  body: string;
  /** Whether a postback of `body` is answered VERIFIED once the IPN was sent. */
  genuine: boolean;
  state: NotificationState;
  createdAt: string;
  nextAt: string | null;
  deliveries: Delivery[];
}

/** An app of the developer dashboard, for the REST API. */
export interface RestApp {
  clientId: string;
  secret: string;
  /** The id of its webhook, if it has one. */
  webhookId?: string;
  merchantId: string;
  /** The merchant's primary address. */
  email: string;
}

export type AppProfile = Partial<Omit<RestApp, 'merchantId'>> & {
  webhookUrl?: string;
  /** Default: for a new webhook, all; otherwise, those that the webhook already has. */
  eventTypes?: string[];
};

/** What is wrong with the certificate of a webhook's signature. */
export type CertificateFault = 'other host' | 'expired' | 'not trusted' | 'no chain';

/** One webhook event on its way to one address. */
export interface WebhookMessage {
  /** For `deliver`. */
  id: string;
  url: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  /** The payment that it is about, such as a capture; null if it is about none, for example before the capture. */
  payment: string | null;
  /** The bytes that go out. */
  body: string;
  /** The headers of the last transmission; before the first one, the headers that it will have. */
  headers: Record<string, string>;
  /** Whether PayPal wrote and signed it, with a good certificate. */
  genuine: boolean;
  state: NotificationState;
  createdAt: string;
  nextAt: string | null;
  deliveries: Delivery[];
}

/** How IPNs and webhooks go wrong; several properties can be combined. */
export interface Misbehaviour {
  /** Holds them until `deliver`, which also sets their order. */
  hold?: boolean;
  /** Delay in milliseconds of the simulator's clock. */
  delayMs?: number;
  /** Does not send them. */
  drop?: boolean;
  /** Number of additional identical copies, all due at the same time (1 to 50). */
  duplicate?: number;
  /**
   * IPNs only: replaces, adds or (null) removes fields before PayPal signs, so that the IPN is still VERIFIED. For the wrong receiver, amount
   * or currency, or `{ test_ipn: '1' }`.
   */
  fields?: Record<string, string | null>;
  /** The same after PayPal has signed, so that the IPN is INVALID. */
  tamper?: Record<string, string | null>;
  /** IPNs only: appends pairs before PayPal signs, so that a parameter occurs twice in an IPN that is VERIFIED. */
  append?: [string, string][];
  /** Only IPNs of these statuses. Default: all; without `statuses` but with `events`, no IPNs. */
  statuses?: PaymentStatus[];
  /** Only webhooks of these event types, such as `PAYMENT.CAPTURE.COMPLETED`. Default: all; without `events` but with `statuses`, no webhooks. */
  events?: string[];
  /** Webhooks only: the certificate of the signature has this fault. */
  certificate?: CertificateFault;
  /** Webhooks only: changes the body or the signature after PayPal has signed. */
  spoil?: 'body' | 'signature';
  /** Webhooks only: a transmission time this many milliseconds ago, correctly signed. */
  agedMs?: number;
  /** How many of them are affected. Default: all. */
  times?: number;
}

/** A kind of call of the REST API. */
export type ApiOperation =
  | 'token'
  | 'orders.create'
  | 'orders.get'
  | 'orders.capture'
  | 'captures.get'
  | 'captures.refund'
  | 'refunds.get'
  | 'products'
  | 'plans'
  | 'subscriptions.create'
  | 'subscriptions.get'
  | 'subscriptions.suspend'
  | 'subscriptions.activate'
  | 'subscriptions.cancel'
  | 'subscriptions.revise'
  | 'subscriptions.capture'
  | 'subscriptions.transactions'
  | 'disputes.list'
  | 'disputes.get'
  | 'webhooks';

/** How a call of the REST API goes wrong. */
export type ApiFault =
  /** 503, and nothing is done. */
  | 'error'
  /** 429 with `Retry-After`, and nothing is done. */
  | 'rate limited'
  /** 403: the app has no permission, and nothing is done. */
  | 'forbidden'
  /** 500 after the call was carried out. */
  | 'error after success'
  /** The right status after the call was carried out, with an empty body. */
  | 'empty after success'
  /** 200 with an HTML page after the call was carried out. */
  | 'html'
  /** Carried out, and answered after `delayMs` of real time. */
  | 'slow'
  /** Carried out, and never answered. */
  | 'timeout'
  /** Carried out, and the connection is cut. */
  | 'reset';

export interface ApiMisbehaviour {
  /** Default: every call. */
  operation?: ApiOperation;
  mode: ApiFault;
  /** For `slow`. Default 2000. */
  delayMs?: number;
  /**
   * Matches calls by what they are about: an order's invoice, custom id or id, a capture's id, or a subscription's id or custom id.
   * Default: everything.
   */
  match?: PaymentMatch;
  /** How many calls are affected. Default: all. */
  times?: number;
}

/** A webhook about an event that did not happen. */
export interface SyntheticWebhook {
  url: string;
  /** The webhook id that it is signed for. Default: `WEBHOOK_ID`, which no app has. */
  webhookId?: string;
  /** The id of a webhook to take the body from. Default: the event of a capture that never happened. */
  copyFromId?: string;
  /** Properties of the event to add or replace, at its top level. */
  event?: Record<string, unknown>;
  /** The exact bytes, instead of `copyFromId` and `event`. */
  body?: string;
  /** Whether PayPal has signed it. Default true; false is a forgery: its signature is random. */
  genuine?: boolean;
  certificate?: CertificateFault;
  agedMs?: number;
  /** Changes headers after signing; null removes one. Names in lower case. */
  headers?: Record<string, string | null>;
}

export type PostbackMode =
  | 'normal'
  /** Accepts the request and never answers. */
  | 'timeout'
  /** Sends `VERIFIED` one byte a second. */
  | 'drip'
  /** 503 with an HTML page. */
  | 'error'
  /** 200 with an HTML page that contains the word VERIFIED. */
  | 'html'
  /** 302 to a page that always says VERIFIED. */
  | 'redirect'
  /** 200 with `verified`. */
  | 'wrong word'
  /** Always INVALID, as PayPal sometimes answers even for its own messages. */
  | 'invalid'
  /** Closes the connection without an answer. */
  | 'reset';

/** One postback of a listener. */
export interface Postback {
  at: string;
  /** The bytes without `cmd=_notify-validate`. */
  body: string;
  userAgent: string;
  mode: PostbackMode;
  /** The correct answer, regardless of the mode. */
  verdict: 'VERIFIED' | 'INVALID';
}
