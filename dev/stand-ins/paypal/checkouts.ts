import { requireAcceptedCard } from './cards.js';
import type { Purchase } from './purchase.js';
import { newCheckoutToken } from './identifiers.js';
import type { PaymentLedger, PaymentRecord } from './ledger.js';
import type { Merchants } from './merchants.js';
import type { Buyer, PaymentMethod } from './model.js';
import { formatAmount, parseAmount } from './money.js';
import { Refusal } from './refusal.js';

export interface CheckoutSession {
  token: string;
  purchase: Purchase;
  /** Null until the checkout is paid. */
  transactionId: string | null;
}

export interface Submission {
  method: PaymentMethod;
  card: string;
  buyer: Buyer;
  amount: string;
  itemName: string;
}

export const defaultBuyer: Buyer = {
  firstName: 'John',
  lastName: 'Buyer',
  email: 'john.buyer@example.com',
  countryCode: 'US',
};

/** Beyond this number, the oldest checkouts expire. */
const maxSessions = 5_000;

export class Checkouts {
  private readonly sessions = new Map<string, CheckoutSession>();

  constructor(
    private readonly merchants: Merchants,
    private readonly ledger: PaymentLedger,
  ) {}

  open(purchase: Purchase): CheckoutSession {
    this.refuseDuplicate(purchase);
    const session: CheckoutSession = { token: newCheckoutToken(), purchase, transactionId: null };
    this.sessions.set(session.token, session);
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= maxSessions) break;
      this.sessions.delete(oldest);
    }
    return session;
  }

  get(token: string): CheckoutSession {
    const session = this.sessions.get(token);
    if (!session) throw new Refusal(404, 'This checkout has expired. Go back to the shop and try again.');
    return session;
  }

  /** If the checkout was already paid, returns the existing payment. */
  pay(token: string, submission: Submission): PaymentRecord {
    const session = this.get(token);
    if (session.transactionId !== null) return this.ledger.get(session.transactionId);
    const { purchase } = session;
    this.refuseDuplicate(purchase);
    const { buyer } = submission;
    const amount = purchase.amount ?? parseAmount(submission.amount, purchase.currency);
    if (!amount) throw new Refusal(400, 'Enter an amount.', 'amount');
    if (submission.method === 'card') requireAcceptedCard(submission.card);
    const itemName = purchase.itemName || submission.itemName;
    const payment = this.ledger.pay({ ...purchase, itemName }, amount, submission.method, buyer);
    session.transactionId = payment.transactionId;
    return payment;
  }

  /** Where the buyer returns after paying, with PayPal's variables if PDT or auto-return is on. */
  returnUrlOf(payment: PaymentRecord): string | null {
    const { purchase } = payment;
    if (!purchase.returnUrl) return null;
    const { pdtToken, autoReturn } = this.merchants.get(purchase.merchantId);
    if (pdtToken === null && !autoReturn) return purchase.returnUrl;
    const url = new URL(purchase.returnUrl);
    const result = {
      tx: payment.transactionId,
      st: payment.standing,
      amt: formatAmount(payment.gross, purchase.currency),
      cc: purchase.currency,
      cm: purchase.custom,
      item_number: purchase.itemNumber,
    };
    for (const [name, value] of Object.entries(result)) url.searchParams.append(name, value);
    return url.href;
  }

  private refuseDuplicate({ merchantId, invoice }: Purchase): void {
    if (!this.merchants.get(merchantId).blocksDuplicateInvoices) return;
    if (this.ledger.hasPaidInvoice(merchantId, invoice))
      throw new Refusal(409, 'This invoice has already been paid.', 'invoice');
  }
}
