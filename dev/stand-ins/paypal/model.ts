// The types of the control API. Amounts are decimal text as PayPal writes them ('49.00', '-49.00', '1200' in yen); times are ISO 8601 on the
// simulator's clock.

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

/** The state of the whole payment; a `PaymentStatus` is that of one of its ledger entries. */
export type PaymentStanding = Exclude<PaymentStatus, 'Canceled_Reversal'> | 'Partially_Refunded';

/** PayPal reviews a `review` payment first: Pending with `pending_reason=paymentreview`. */
export type PaymentMethod = 'balance' | 'card' | 'echeck' | 'review';

/**
 * For a REST order. `declined`: the call to capture fails with INSTRUMENT_DECLINED, and the buyer may come back. `refused`: the call succeeds, but
 * the status of the capture is DECLINED.
 */
export type OrderPaymentMethod = PaymentMethod | 'declined' | 'refused';

export type Settlement = 'Completed' | 'Failed' | 'Denied' | 'Expired' | 'Voided';

/** `won` and `lost` are the merchant's view. */
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
  /** Payments to these addresses are received as well. */
  otherEmails: string[];
  /** The encoding of its notifications; PayPal's default is windows-1252. It does not depend on the form's `charset`. */
  charset: 'windows-1252' | 'utf-8';
  /** The identity token of PDT; null while PDT is off. */
  pdtToken: string | null;
  /** Sends the buyer back immediately, without showing a receipt. Not for a form with `rm=2`. */
  autoReturn: boolean;
  /** Refuses a second payment with the `invoice` of a completed one ("block accidental payments"). */
  blocksDuplicateInvoices: boolean;
  /** Gets IPNs about orders of the REST API, and about payments by forms without `notify_url`. */
  notifyUrl: string | null;
  /** The amount that is added to a form without `tax`, such as `4.90`. */
  profileTax: string | null;
  /** The amount that is added to a form without `shipping`, such as `5.00`. */
  profileShipping: string | null;
}

/** The payment itself, its settlement, a refund, a reversal… */
interface LedgerEntry {
  /** `txn_id`: the payment's own for the payment and its settlement, a new one for a refund, a reversal or the end of a reversal. */
  transactionId: string;
  status: PaymentStatus;
  /** Signed: what the merchant's account gained or, with the status Pending, Failed, Denied, Expired or Voided, would have gained. */
  gross: string;
  /** Signed; null if PayPal has charged none. */
  fee: string | null;
  pendingReason: string | null;
  reasonCode: string | null;
  at: string;
  /** To the buyer, about a refund by the REST API. */
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
  /** Null unless the payment is the capture of a REST order. */
  orderId: string | null;
  /** Null unless the payment is a charge of a subscription. */
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

/** Decides how charges turn out: paid, refused, or pending until `settle`. */
export type FundingSource = 'ok' | 'declined' | 'echeck';

export interface Subscription {
  id: string;
  status: SubscriptionStatus;
  /** The reason given for the last change of the status; null if none was given. */
  statusNote: string | null;
  planId: string;
  planName: string;
  /** Price of a cycle. */
  price: string;
  currency: string;
  custom: string;
  merchant: { id: string; email: string };
  /** Null before the approval. */
  buyer: Buyer | null;
  fund: FundingSource;
  createdAt: string;
  /** Time of the first charge; null before it. */
  startedAt: string | null;
  /** Includes unpaid cycles. */
  cyclesBilled: number;
  /** Null before the first charge, and after the end. */
  nextBillingAt: string | null;
  /** When a failed charge is tried again; null if it is not. */
  retryAt: string | null;
  /** What was billed and is neither paid nor pending. */
  outstanding: string;
  /** Number of failures since the last success. */
  failedPayments: number;
  /** The plan that the buyer has yet to approve: the subscription's first one, or that of a revision. Null if there is none. */
  proposedPlanId: string | null;
  /** Every attempt, oldest first. */
  charges: Payment[];
}

/** All properties that are given must match. `invoice` and `custom` are known before the payment is made, and match even its first notification. */
export interface PaymentMatch {
  invoice?: string;
  custom?: string;
  transactionId?: string;
  /** Matches no IPN. */
  orderId?: string;
  /** Matches all its charges, but no IPN. */
  subscriptionId?: string;
}

/** The answer to a search of the ledger. */
export interface FoundPayments {
  now: string;
  /** How many payments match; the answer holds the newest 1000 of them, oldest first. */
  total: number;
  payments: Payment[];
}

export interface Delivery {
  at: string;
  /** Null if there was no answer. Only 200 for an IPN, or any 2xx for a webhook, ends the repetition. */
  status: number | null;
  /** Why there was no answer, such as `ECONNREFUSED`; null if there was one. */
  fault: string | null;
}

export type NotificationState =
  /** Due now or later (`nextAt`), or on its way. */
  | 'waiting'
  /** `hold` holds it until `deliver`. */
  | 'held'
  /** Answered with 200, or for a webhook with any 2xx. */
  | 'delivered'
  | 'given up'
  /** `drop` prevented it. */
  | 'dropped';

export interface IpnMessage {
  id: string;
  url: string;
  /** The transaction id of the payment itself, also in an IPN about its refund; null for an IPN of `sendIpn`. */
  payment: string | null;
  /** `txn_type` of a case notification (`new_case`), else the `payment_status`. */
  about: string;
  /** The fields as PayPal wrote them, decoded and in PayPal's order. With a `body` in `sendIpn`, the fields that the body replaced. */
  fields: [string, string][];
  /** The bytes that go out (ASCII: everything else is percent-encoded). */
  body: string;
  /** Whether a postback of `body` is answered VERIFIED after the IPN has been sent. */
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
  /** Absent if it has no webhook. */
  webhookId?: string;
  merchantId: string;
  email: string;
}

export type AppProfile = Partial<Omit<RestApp, 'merchantId'>> & {
  webhookUrl?: string;
  /** Default: all for a new webhook, unchanged for a known one. */
  eventTypes?: string[];
};

export type CertificateFault = 'other host' | 'expired' | 'not trusted' | 'no chain';

export interface WebhookMessage {
  /** Pass it to `deliver`. */
  id: string;
  url: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  /** The transaction id of the payment itself, also for its refund; null if the event is about no payment, for example before the capture. */
  payment: string | null;
  body: string;
  /** Those of the last transmission; before any, those that the first one will have. */
  headers: Record<string, string>;
  /** Whether PayPal wrote and signed it, with a good certificate. */
  genuine: boolean;
  state: NotificationState;
  createdAt: string;
  nextAt: string | null;
  deliveries: Delivery[];
}

export interface NotificationMisbehaviour {
  /** Holds notifications until `deliver`, which sends them in the order of its `ids`. */
  hold?: boolean;
  /** In milliseconds of the simulator's clock. */
  delayMs?: number;
  drop?: boolean;
  /** Additional identical copies, all due at the same time (1 to 50). */
  duplicate?: number;
  /** IPNs only: replaces, adds or (null) removes fields before PayPal signs, so that the IPN is still VERIFIED. */
  fields?: Record<string, string | null>;
  /** IPNs only: like `fields`, but after PayPal has signed, so that the IPN is INVALID. */
  tamper?: Record<string, string | null>;
  /** IPNs only: appends pairs before PayPal signs, so that a parameter occurs twice in an IPN that is VERIFIED. */
  append?: [string, string][];
  /** Only IPNs of these statuses. Default: all; without `statuses` but with `events`, no IPNs. */
  statuses?: PaymentStatus[];
  /** Only webhooks of these event types. Default: all; without `events` but with `statuses`, no webhooks. */
  events?: string[];
  /** Webhooks only. */
  certificate?: CertificateFault;
  /** Webhooks only: changes this part after PayPal has signed. */
  spoil?: 'body' | 'signature';
  /** Webhooks only: a transmission time this many milliseconds ago, correctly signed. */
  agedMs?: number;
  /** How many are affected. Default: all. */
  times?: number;
}

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

export type ApiFault =
  /** 503, and nothing is done. */
  | 'error'
  /** 429 with `Retry-After`, and nothing is done. */
  | 'rate limited'
  /** 403: the app has no permission, and nothing is done. */
  | 'forbidden'
  /** 500 after the call was carried out. If the call is refused, its answer is unchanged. */
  | 'error after success'
  /** The right status after the call was carried out, with an empty body. If the call is refused, its answer is unchanged. */
  | 'empty after success'
  /** Carried out or refused, and answered with 200 and an HTML page. */
  | 'html'
  /** Carried out or refused, and answered after `delayMs` of real time. */
  | 'slow'
  /** Carried out or refused, and never answered. */
  | 'timeout'
  /** Carried out or refused, and the connection is cut. */
  | 'reset';

export interface ApiMisbehaviour {
  /** Default: every call. */
  operation?: ApiOperation;
  mode: ApiFault;
  /** For `slow`. Default 2000. */
  delayMs?: number;
  /** Selects calls by what they are about: an order's invoice, custom id or id, a capture's id, or a subscription's id or custom id. Default: all. */
  match?: PaymentMatch;
  /** How many calls are affected; a call that PayPal refuses counts as well. Default: all. */
  times?: number;
}

export interface SyntheticWebhook {
  url: string;
  /** The webhook for which it is signed. Default: `WEBHOOK_ID`, which no app has. */
  webhookId?: string;
  /** The `id` of the `WebhookMessage` to take the body from. Default: the event of a capture that never happened. */
  copyFromId?: string;
  /** Added or replaced at the event's top level. */
  event?: Record<string, unknown>;
  /** The exact bytes, instead of `copyFromId` and `event`. */
  body?: string;
  /** Whether PayPal has signed it. Default true; false is a forgery with a random signature. */
  genuine?: boolean;
  certificate?: CertificateFault;
  agedMs?: number;
  /** Changed after signing; null removes one. Names in lower case. */
  headers?: Record<string, string | null>;
}

export type PostbackMode =
  | 'normal'
  /** Accepts the request and never answers. */
  | 'timeout'
  /** `VERIFIED`, one byte a second. */
  | 'drip'
  /** 503 with an HTML page. */
  | 'error'
  /** 200 with an HTML page that contains the word VERIFIED. */
  | 'html'
  /** 302 to a page that always says VERIFIED. */
  | 'redirect'
  /** 200 with `verified`. */
  | 'wrong word'
  /** INVALID, as PayPal sometimes answers even for its own messages. */
  | 'invalid'
  /** Closes the connection without an answer. */
  | 'reset';

export interface Postback {
  at: string;
  /** Without `cmd=_notify-validate`. */
  body: string;
  userAgent: string;
  mode: PostbackMode;
  /** What the mode `normal` answers; other modes may have answered something else. */
  verdict: 'VERIFIED' | 'INVALID';
}
