import { type Answer, type AnswerOf, callApi, type Problem } from '../../lib/api.js';
import type { OrderKey } from './order-key.js';

/** What the customer saw and typed. */
export interface Ordered {
  packageName: string;
  packagePrice: string;
  customerEmail: string;
  customerName: string;
  customerAddress: string;
  customerCountry: string;
}

/** A package as it is on offer now. */
export interface Offer {
  packageName: string;
  packagePrice: string;
}

/** Places the order that `key` stands for, once, however often it is called. */
export function placeOrder(key: OrderKey, ordered: Ordered): Promise<Answer<AnswerOf<'POST /new-order'>>> {
  return callApi('POST /new-order', {
    body: { ...ordered, paymentStatus: 'UnPaid', orderStatus: 'Pending', orderDate: key.orderDate },
    idempotencyKey: key.of(Object.values(ordered)),
  });
}

/** What is on offer instead when the price was refused: null when nothing is. Undefined when the problem is another. */
export function offerInstead({ code, current }: Problem): Offer | null | undefined {
  if (code !== 'PRICE_CHANGED') return undefined;
  return isOffer(current) ? current : null;
}

function isOffer(current: unknown): current is Offer {
  return (
    typeof current === 'object' && current !== null && 'packageName' in current && 'packagePrice' in current
  );
}
