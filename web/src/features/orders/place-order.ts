import type { BillingDetails } from '#libs/contracts';
import { type Answer, type AnswerOf, callApi, type Problem } from '../../lib/api.js';
import type { OrderKey } from './order-key.js';

/** What the customer saw and entered. */
export interface Ordered {
  packageName: string;
  packagePrice: string;
  customerEmail: string;
  customerName: string;
  customerAddress: string;
  customerCountry: string;
  /** Every month until cancelled; left out for one month. */
  renews?: true;
  /** Left out if no invoices are issued. */
  billingDetails?: BillingDetails;
  /** The version of the terms that the form linked to. */
  termsVersion?: number;
}

/** A package's current name and price. */
export interface Offer {
  packageName: string;
  packagePrice: string;
}

/** Places the order of `key`; several calls place it once. */
export function placeOrder(key: OrderKey, ordered: Ordered): Promise<Answer<AnswerOf<'POST /new-order'>>> {
  return callApi('POST /new-order', {
    body: { ...ordered, paymentStatus: 'UnPaid', orderStatus: 'Pending', orderDate: key.orderDate },
    idempotencyKey: key.for([JSON.stringify(ordered)]),
  });
}

/**
 * The current offer if the price was refused: null if the package is no longer offered. Undefined for any
 * other problem.
 */
export function offerInstead({ code, current }: Problem): Offer | null | undefined {
  if (code !== 'PRICE_CHANGED') return undefined;
  return isOffer(current) ? current : null;
}

function isOffer(current: unknown): current is Offer {
  return (
    typeof current === 'object' && current !== null && 'packageName' in current && 'packagePrice' in current
  );
}
