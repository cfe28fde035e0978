import type { BillingDetails } from '#libs/contracts';
import { type Answer, type AnswerOf, callApi, type Problem } from '../../lib/api.js';
import type { OrderKey } from './order-key.js';

/** What the customer saw and entered. */
export interface OrderRequest {
  packageName: string;
  packagePrice: string;
  customerEmail: string;
  customerName: string;
  customerAddress: string;
  customerCountry: string;
  /** Pay every month until the plan is cancelled, instead of once. */
  renews?: true;
  /** Left out if the form did not ask for them, or if the order that is placed again has none. */
  billingDetails?: BillingDetails;
  /** The version of the terms that the form linked to. */
  termsVersion?: number;
}

export interface Offer {
  packagePrice: string;
}

/** Several calls with the same `key` and `request` place one order. For forms in several tabs, see order-key.ts. */
export function placeOrder(
  key: OrderKey,
  request: OrderRequest,
): Promise<Answer<AnswerOf<'POST /new-order'>>> {
  const body = {
    ...request,
    paymentStatus: 'UnPaid',
    orderStatus: 'Pending',
    orderDate: key.orderDateFor(request),
  } as const;
  return callApi('POST /new-order', { body, idempotencyKey: key.idempotencyKeyFor(body) });
}

/** If the price was refused, the current offer, or null if the package is no longer offered. Undefined for any other problem. */
export function findChangedOffer({ code, current }: Problem): Offer | null | undefined {
  if (code !== 'PRICE_CHANGED') return undefined;
  return isOffer(current) ? current : null;
}

function isOffer(current: unknown): current is Offer {
  return typeof current === 'object' && current !== null && 'packagePrice' in current;
}
