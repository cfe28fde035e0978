import type { Pairs } from './encoding.js';
import { newTrackId, newVerifySign } from './identifiers.js';
import type { LedgerEntryRecord, PaymentRecord } from './ledger.js';
import type { Buyer, Merchant } from './model.js';
import { formatAmount } from './money.js';

// The fields of PayPal's messages, and their order. Sources: "IPN and PDT Variables" (developer.paypal.com), and messages that merchants have
// published.

const zone = 'America/Los_Angeles';
const dateFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: zone,
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  timeZoneName: 'short',
});

/** `20:12:59 Jan 13, 2026 PST`: PayPal's own time, in California. */
function payPalDate(time: number): string {
  const part = Object.fromEntries(dateFormat.formatToParts(time).map(({ type, value }) => [type, value]));
  const clock = `${part.hour}:${part.minute}:${part.second}`;
  return `${clock} ${part.month} ${part.day}, ${part.year} ${part.timeZoneName}`;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** The name and the country are the buyer's. The rest is invented: merchants expect these fields, but do not use the values. */
function addressOf({ firstName, lastName, countryCode }: Buyer): Record<string, string> {
  return {
    address_status: 'confirmed',
    address_street: '1 Main St',
    address_zip: '95131',
    address_country_code: countryCode,
    address_name: `${firstName} ${lastName}`,
    address_country: countryNames.of(countryCode) ?? countryCode,
    address_city: 'San Jose',
    address_state: 'CA',
  };
}

/** Undefined fields are absent, empty ones are sent empty. */
type Fields = Record<string, string | undefined>;

/**
 * PayPal takes back only what it has paid out, so a reversal contains the amount less the fee: `mc_gross=-9.26` and `mc_fee=-0.74` at
 * https://pastebin.com/yC0S8DgX, about a payment of 10.00. A cancelled reversal contains the same amount, positive.
 */
function notifiedGross({ status, gross, fee }: LedgerEntryRecord): number {
  return status === 'Reversed' || status === 'Canceled_Reversal' ? gross - (fee ?? 0) : gross;
}

/** PDT has most of these fields, too. */
function paymentFields(payment: PaymentRecord, entry: LedgerEntryRecord, merchant: Merchant): Fields {
  const { purchase, buyer } = payment;
  const isPayment = entry.transactionId === payment.transactionId;
  const amount = (minor: number) => formatAmount(minor, purchase.currency);
  const gross = notifiedGross(entry);
  const amountIfDollars = (minor: number | null) =>
    minor === null ? undefined : purchase.currency === 'USD' ? amount(minor) : '';
  const address = isPayment && purchase.needsAddress ? addressOf(buyer) : {};
  return {
    mc_gross: amount(gross),
    invoice: purchase.invoice || undefined,
    protection_eligibility: purchase.needsAddress ? 'Eligible' : 'Ineligible',
    address_status: address.address_status,
    payer_id: payment.payerId,
    tax: isPayment ? amount(purchase.tax) : undefined,
    address_street: address.address_street,
    payment_date: payPalDate(entry.at),
    payment_status: entry.status,
    charset: merchant.charset,
    address_zip: address.address_zip,
    first_name: buyer.firstName,
    mc_fee: entry.fee === null ? undefined : amount(entry.fee),
    address_country_code: address.address_country_code,
    address_name: address.address_name,
    notify_version: '3.9',
    reason_code: entry.reasonCode ?? undefined,
    custom: purchase.custom,
    payer_status: 'verified',
    // Messages about refunds name the merchant by `receiver_email` and `receiver_id` alone, as in the one at
    // https://github.com/snowplow-archive/symfony2-paypal-ipn/pull/9.
    business: entry.status === 'Refunded' ? undefined : purchase.business,
    address_country: address.address_country,
    address_city: address.address_city,
    quantity: isPayment ? String(purchase.quantity) : undefined,
    verify_sign: newVerifySign(),
    payer_email: buyer.email,
    parent_txn_id: isPayment ? undefined : payment.transactionId,
    txn_id: entry.transactionId,
    payment_type: payment.paidWith === 'echeck' ? 'echeck' : 'instant',
    last_name: buyer.lastName,
    address_state: address.address_state,
    receiver_email: merchant.email,
    payment_fee: amountIfDollars(entry.fee),
    shipping_discount: isPayment ? amount(0) : undefined,
    insurance_amount: isPayment ? amount(0) : undefined,
    receiver_id: merchant.id,
    pending_reason: entry.pendingReason ?? undefined,
    txn_type: isPayment ? 'web_accept' : undefined,
    item_name: purchase.itemName,
    discount: isPayment ? amount(purchase.discount) : undefined,
    mc_currency: purchase.currency,
    item_number: purchase.itemNumber,
    residence_country: buyer.countryCode,
    handling_amount: amount(purchase.handling),
    shipping_method: isPayment ? '' : undefined,
    transaction_subject: purchase.itemName,
    payment_gross: amountIfDollars(gross),
    shipping: amount(purchase.shipping),
    ipn_track_id: newTrackId(),
  };
}

const definedPairs = (fields: Fields): Pairs =>
  Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);

export function paymentMessage(payment: PaymentRecord, entry: LedgerEntryRecord, merchant: Merchant): Pairs {
  return definedPairs(paymentFields(payment, entry, merchant));
}

/** Says that a dispute was opened. It has no amount and no `payment_status`. */
export function caseMessage(payment: PaymentRecord, merchant: Merchant, at: number): Pairs {
  const { purchase, buyer } = payment;
  return definedPairs({
    txn_type: 'new_case',
    payment_date: payPalDate(at),
    case_id: payment.caseId ?? undefined,
    receiver_id: merchant.id,
    invoice: purchase.invoice || undefined,
    verify_sign: newVerifySign(),
    payer_email: buyer.email,
    txn_id: payment.transactionId,
    case_type: 'dispute',
    reason_code: 'not_as_described',
    custom: purchase.custom,
    charset: merchant.charset,
    notify_version: '3.9',
    case_creation_date: payPalDate(at),
    ipn_track_id: newTrackId(),
  });
}

/**
 * The fields of PDT (Payment Data Transfer), and of the POST with which a buyer returns from a form with `rm=2`: the fields of an IPN, without those
 * that only IPNs have. `payment_status` is the payment's current status.
 */
export function pdtFields(payment: PaymentRecord, merchant: Merchant): Pairs {
  const latest = payment.entries.findLast(({ transactionId }) => transactionId === payment.transactionId)!;
  const fields = paymentFields(payment, latest, merchant);
  return definedPairs({
    ...fields,
    payment_status: payment.standing,
    notify_version: undefined,
    verify_sign: undefined,
    ipn_track_id: undefined,
  });
}

/** An ordinary payment that never happened. `sendIpn` changes these fields unless it copies another IPN. */
export function syntheticMessage(transactionId: string, at: number): Pairs {
  return definedPairs({
    mc_gross: '1.00',
    protection_eligibility: 'Ineligible',
    payer_id: '0000000000000',
    payment_date: payPalDate(at),
    payment_status: 'Completed',
    charset: 'windows-1252',
    first_name: 'John',
    mc_fee: '0.33',
    notify_version: '3.9',
    custom: '',
    payer_status: 'verified',
    business: 'somebody@example.com',
    quantity: '1',
    verify_sign: newVerifySign(),
    payer_email: 'john.buyer@example.com',
    txn_id: transactionId,
    payment_type: 'instant',
    last_name: 'Buyer',
    receiver_email: 'somebody@example.com',
    payment_fee: '0.33',
    receiver_id: '1111111111111',
    txn_type: 'web_accept',
    item_name: '',
    mc_currency: 'USD',
    item_number: '1',
    residence_country: 'US',
    transaction_subject: '',
    payment_gross: '1.00',
    ipn_track_id: newTrackId(),
  });
}
