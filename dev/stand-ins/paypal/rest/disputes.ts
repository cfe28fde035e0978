import type { PaymentRecord } from '../ledger.js';
import type { Merchants } from '../merchants.js';
import { iso, linksAt, money } from './resources.js';

/**
 * In the ledger, a `Reversed` entry opens a dispute, and `Canceled_Reversal` closes it, whether the buyer or the merchant has won. Amounts are in
 * minor units.
 */
export interface Dispute {
  id: string;
  payment: PaymentRecord;
  amount: number;
  openedAt: number;
  /** Null while it is open. `lost` is from the merchant's side: the buyer keeps the money. */
  closed: { at: number; lost: boolean } | null;
}

/** Oldest first. */
export function disputesOf(payment: PaymentRecord): Dispute[] {
  const { entries, caseId: latestCaseId } = payment;
  return entries.flatMap((entry, index) => {
    // Entries saved by earlier versions have no case id.
    const id = entry.caseId ?? latestCaseId;
    if (entry.status !== 'Reversed' || id === null) return [];
    const end = entries.slice(index).find(({ status }) => status === 'Canceled_Reversal');
    // After a lost dispute, the simulator opens no other, so only the latest one can be lost.
    const lost = id === latestCaseId && payment.dispute === 'lost';
    const closed = end ? { at: end.at, lost } : null;
    return [{ id, payment, amount: -entry.gross, openedAt: entry.at, closed }];
  });
}

/** Disputes v1, as documented at https://developer.paypal.com/docs/api/customer-disputes/v1/. */
export class DisputeResources {
  private readonly link: ReturnType<typeof linksAt>['link'];

  constructor(
    origin: string,
    private readonly merchants: Merchants,
  ) {
    this.link = linksAt(origin).link;
  }

  /** An entry of the list, `GET /v1/customer/disputes`. */
  brief({ id, payment, amount, openedAt, closed }: Dispute): object {
    const { transactionId, purchase } = payment;
    return {
      dispute_id: id,
      create_time: iso(openedAt),
      update_time: iso(closed?.at ?? openedAt),
      disputed_transactions: [{ buyer_transaction_id: transactionId, seller_transaction_id: transactionId }],
      reason: 'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
      status: closed ? 'RESOLVED' : 'WAITING_FOR_SELLER_RESPONSE',
      dispute_state: closed ? 'RESOLVED' : 'REQUIRED_ACTION',
      dispute_amount: money(amount, purchase.currency),
      dispute_life_cycle_stage: 'CHARGEBACK',
      dispute_channel: 'INTERNAL',
      links: [this.link(`/v1/customer/disputes/${id}`, 'self')],
    };
  }

  /** `GET /v1/customer/disputes/{id}`. */
  full(dispute: Dispute): object {
    const { payment, amount, closed } = dispute;
    const { transactionId, purchase, buyer, gross, entries } = payment;
    const { email, id: merchantId } = this.merchants.get(purchase.merchantId);
    return {
      ...this.brief(dispute),
      disputed_transactions: [
        {
          buyer_transaction_id: transactionId,
          seller_transaction_id: transactionId,
          create_time: iso(entries[0]!.at),
          transaction_status: 'COMPLETED',
          gross_amount: money(gross, purchase.currency),
          ...(purchase.invoice && { invoice_number: purchase.invoice }),
          ...(purchase.custom && { custom: purchase.custom }),
          buyer: { name: `${buyer.firstName} ${buyer.lastName}` },
          seller: { email, merchant_id: merchantId, name: email },
        },
      ],
      ...(closed && {
        dispute_outcome: {
          outcome_code: closed.lost ? 'RESOLVED_BUYER_FAVOUR' : 'RESOLVED_SELLER_FAVOUR',
          ...(closed.lost && { amount_refunded: money(amount, purchase.currency) }),
        },
      }),
    };
  }
}
