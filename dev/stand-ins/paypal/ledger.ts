import { type Purchase, totalOf } from './purchase.js';
import type { Clock } from './clock.js';
import { newAccountId, newCaseId, newTransactionId } from './identifiers.js';
import type {
  Buyer,
  DisputeStep,
  PaymentMatch,
  PaymentMethod,
  PaymentStanding,
  PaymentStatus,
  Settlement,
} from './model.js';
import { feeOf, formatAmount } from './money.js';
import { Refusal } from './refusal.js';

/** A ledger entry as the simulator stores it: amounts in minor units, times in milliseconds. */
export interface LedgerEntryRecord {
  transactionId: string;
  status: PaymentStatus;
  gross: number;
  fee: number | null;
  pendingReason: string | null;
  reasonCode: string | null;
  at: number;
  /** To the buyer, about a refund. */
  note?: string;
  /** `invoice_id` and `custom_id` of a refund by the REST API. */
  invoice?: string;
  custom?: string;
  /** The dispute that a reversal, or its end, belongs to. */
  caseId?: string;
}

export type RefundTexts = Pick<LedgerEntryRecord, 'note' | 'invoice' | 'custom'>;

/** Amounts are in minor units. */
export interface PaymentRecord {
  transactionId: string;
  purchase: Purchase;
  gross: number;
  fee: number | null;
  refunded: number;
  refundedFee: number;
  standing: PaymentStanding;
  dispute: DisputeStep | null;
  caseId: string | null;
  paidWith: PaymentMethod;
  buyer: Buyer;
  payerId: string;
  /** Null unless the payment is the capture of a REST order. */
  orderId: string | null;
  /** Null unless the payment is a charge of a subscription. */
  subscriptionId: string | null;
  /** Whether the merchant requested this charge, to collect what was outstanding. Unlike the charge of a cycle, it is not retried if it fails. */
  isRequested: boolean;
  entries: LedgerEntryRecord[];
}

interface PaymentOptions {
  orderId?: string | null;
  subscriptionId?: string | null;
  isRequested?: boolean;
  isDenied?: boolean;
}

export interface LedgerListener {
  entryPosted(payment: PaymentRecord, entry: LedgerEntryRecord): void;
  caseOpened(payment: PaymentRecord): void;
}

/** Beyond this number, the oldest payments are deleted. */
const maxPayments = 5_000;
/** When there are this many payer ids, a new one replaces all of them. */
const maxPayerIds = 5_000;

/** All changes of payments are made here. The listener hears once of each new entry and of each dispute that is opened. */
export class PaymentLedger {
  private readonly payments = new Map<string, PaymentRecord>();
  private readonly payerIds = new Map<string, string>();

  constructor(
    private readonly clock: Clock,
    private readonly listener: LedgerListener,
  ) {}

  get all(): PaymentRecord[] {
    return [...this.payments.values()];
  }

  list({ invoice, custom, transactionId, orderId, subscriptionId }: PaymentMatch): PaymentRecord[] {
    return this.all.filter(
      ({ purchase, entries, ...payment }) =>
        (orderId === undefined || payment.orderId === orderId) &&
        (subscriptionId === undefined || payment.subscriptionId === subscriptionId) &&
        (invoice === undefined || purchase.invoice === invoice) &&
        (custom === undefined || purchase.custom === custom) &&
        (transactionId === undefined || entries.some((entry) => entry.transactionId === transactionId)),
    );
  }

  get(transactionId: string): PaymentRecord {
    const payment = this.payments.get(transactionId);
    if (!payment) throw new Refusal(404, 'There is no such payment.');
    return payment;
  }

  /** Whether a payment for the invoice is Completed: not pending, not in an open dispute, and not even partly refunded. */
  hasPaidInvoice(merchantId: string, invoice: string): boolean {
    return (
      invoice !== '' &&
      this.list({ invoice }).some(
        ({ purchase, standing }) => purchase.merchantId === merchantId && standing === 'Completed',
      )
    );
  }

  /** `amount` is the price of one item, in minor units. */
  pay(
    purchase: Purchase,
    amount: number,
    paidWith: PaymentMethod,
    buyer: Buyer,
    { orderId = null, subscriptionId = null, isRequested = false, isDenied = false }: PaymentOptions = {},
  ): PaymentRecord {
    const gross = totalOf(purchase, amount);
    const pendingReason = { echeck: 'echeck', review: 'paymentreview', balance: null, card: null }[paidWith];
    const status = isDenied ? 'Denied' : pendingReason ? 'Pending' : 'Completed';
    const fee = status === 'Completed' ? feeOf(gross) : null;
    const payment: PaymentRecord = {
      transactionId: newTransactionId(),
      purchase: { ...purchase, amount },
      gross,
      fee,
      refunded: 0,
      refundedFee: 0,
      standing: status,
      dispute: null,
      caseId: null,
      paidWith,
      buyer,
      payerId: this.findOrCreatePayerId(buyer),
      orderId,
      subscriptionId,
      isRequested,
      entries: [],
    };
    this.payments.set(payment.transactionId, payment);
    for (const oldest of this.payments.keys()) {
      if (this.payments.size <= maxPayments) break;
      this.payments.delete(oldest);
    }
    this.post(payment, { status, gross, fee, pendingReason });
    return payment;
  }

  settle(transactionId: string, as: Settlement): PaymentRecord {
    const payment = this.get(transactionId);
    if (payment.standing !== 'Pending') {
      throw new Refusal(409, `The payment is ${payment.standing}, not pending.`);
    }
    payment.standing = as;
    payment.fee = as === 'Completed' ? feeOf(payment.gross) : null;
    this.post(payment, { status: as, gross: payment.gross, fee: payment.fee });
    return payment;
  }

  /** `part` is in minor units. Default: everything that is left. */
  refund(transactionId: string, part?: number, texts: RefundTexts = {}): PaymentRecord {
    const payment = this.get(transactionId);
    const left = this.moneyLeft(payment);
    if (part === 0) throw new Refusal(400, 'The amount must be more than zero.', 'amount');
    if (left === 0 || (part ?? left) > left) {
      const amount = `${formatAmount(left, payment.purchase.currency)} ${payment.purchase.currency}`;
      throw new Refusal(409, `The payment is ${payment.standing}; ${amount} can be refunded.`, 'amount');
    }
    const amount = part ?? left;
    payment.refunded += amount;
    const full = payment.refunded === payment.gross;
    const feeLeft = (payment.fee ?? 0) - payment.refundedFee;
    const fee = full ? feeLeft : Math.min(feeLeft, Math.round(((payment.fee ?? 0) * amount) / payment.gross));
    payment.refundedFee += fee;
    payment.standing = full ? 'Refunded' : 'Partially_Refunded';
    this.post(
      payment,
      { status: 'Refunded', gross: -amount, fee: -fee, reasonCode: 'refund', ...texts },
      newTransactionId(),
    );
    return payment;
  }

  /** `part`, in minor units, is what the buyer disputes when the dispute is opened. Default: everything that is left. */
  setDisputeStep(transactionId: string, step: DisputeStep, part?: number): PaymentRecord {
    const payment = this.get(transactionId);
    if (step === 'opened') {
      const left = this.moneyLeft(payment);
      const amount = part ?? left;
      if (amount === 0 || amount > left || payment.dispute === 'lost')
        throw new Refusal(409, `The payment is ${payment.standing}; this amount cannot be disputed.`);
      payment.dispute = step;
      payment.caseId = newCaseId();
      payment.standing = 'Reversed';
      this.listener.caseOpened(payment);
      const feeLeft = (payment.fee ?? 0) - payment.refundedFee;
      const fee = Math.round((feeLeft * amount) / left);
      this.post(
        payment,
        {
          status: 'Reversed',
          gross: -amount,
          fee: -fee,
          reasonCode: 'buyer_complaint',
          caseId: payment.caseId,
        },
        newTransactionId(),
      );
      return payment;
    }
    if (payment.dispute !== 'opened') throw new Refusal(409, 'There is no open dispute about this payment.');
    payment.dispute = step;
    const held = this.releaseHold(payment);
    // If the merchant loses, the buyer is paid from the held money: PayPal notifies of a cancelled reversal and then of a refund
    // (https://stackoverflow.com/questions/14967249).
    return step === 'lost' ? this.refund(transactionId, held) : payment;
  }

  /** Returns the disputed amount. */
  private releaseHold(payment: PaymentRecord): number {
    payment.standing = payment.refunded > 0 ? 'Partially_Refunded' : 'Completed';
    const reversal = payment.entries.findLast(({ status }) => status === 'Reversed')!;
    const held = -reversal.gross;
    this.post(
      payment,
      {
        status: 'Canceled_Reversal',
        gross: held,
        fee: -reversal.fee!,
        reasonCode: 'buyer_complaint',
        ...(payment.caseId !== null && { caseId: payment.caseId }),
      },
      newTransactionId(),
    );
    return held;
  }

  restore(payments: PaymentRecord[]): void {
    for (const saved of payments) {
      // Payments saved by earlier versions lack these fields.
      const payment = {
        ...saved,
        orderId: saved.orderId ?? null,
        subscriptionId: saved.subscriptionId ?? null,
        isRequested: saved.isRequested ?? false,
      };
      this.payments.set(payment.transactionId, payment);
      this.payerIds.set(payment.buyer.email.toLowerCase(), payment.payerId);
    }
  }

  /** What can still be refunded: nothing if the payment was not completed, or while its dispute is open. */
  private moneyLeft({ standing, gross, refunded }: PaymentRecord): number {
    return standing === 'Completed' || standing === 'Partially_Refunded' ? gross - refunded : 0;
  }

  private post(
    payment: PaymentRecord,
    details: Pick<LedgerEntryRecord, 'status' | 'gross' | 'fee'> & Partial<LedgerEntryRecord>,
    transactionId = payment.transactionId,
  ): void {
    const entry: LedgerEntryRecord = {
      pendingReason: null,
      reasonCode: null,
      ...details,
      transactionId,
      at: this.clock.now(),
    };
    payment.entries.push(entry);
    this.listener.entryPosted(payment, entry);
  }

  findOrCreatePayerId({ email }: Buyer): string {
    const key = email.toLowerCase();
    const known = this.payerIds.get(key);
    if (known) return known;
    if (this.payerIds.size >= maxPayerIds) this.payerIds.clear();
    const id = newAccountId();
    this.payerIds.set(key, id);
    return id;
  }
}
