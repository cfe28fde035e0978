import { type Purchase, singleItemPurchase } from '../purchase.js';
import type { Clock } from '../clock.js';
import { newOrderId } from '../identifiers.js';
import type { PaymentLedger, PaymentRecord } from '../ledger.js';
import type { Merchants } from '../merchants.js';
import type { Buyer, OrderPaymentMethod } from '../model.js';
import { Refusal } from '../refusal.js';
import { notFound, unprocessable } from './errors.js';
import type { OrderRequest } from './order-request.js';

export interface OrderRecord {
  id: string;
  merchantId: string;
  request: OrderRequest;
  createdAt: number;
  approval: { with: OrderPaymentMethod; buyer: Buyer; payerId: string; at: number } | null;
  /** The transaction id of its payment in the ledger; null before the capture. */
  captureId: string | null;
}

const maxOrders = 5_000;
/** The time for the approval, and again for the capture after it. Both are PayPal's defaults. */
const lifetimeMs = 3 * 3_600_000;

export class Orders {
  private readonly orders = new Map<string, OrderRecord>();

  constructor(
    private readonly clock: Clock,
    private readonly merchants: Merchants,
    private readonly ledger: PaymentLedger,
    private readonly changed: () => void,
  ) {}

  get all(): OrderRecord[] {
    return [...this.orders.values()];
  }

  create(merchantId: string, request: OrderRequest): OrderRecord {
    const order: OrderRecord = {
      id: newOrderId(),
      merchantId,
      request,
      createdAt: this.clock.now(),
      approval: null,
      captureId: null,
    };
    this.orders.set(order.id, order);
    for (const oldest of this.orders.keys()) {
      if (this.orders.size <= maxOrders) break;
      this.orders.delete(oldest);
    }
    this.changed();
    return order;
  }

  /** Undefined if there is no such order, or if it has expired. */
  find(id: string): OrderRecord | undefined {
    const order = this.orders.get(id);
    if (!order) return undefined;
    const since = order.approval?.at ?? order.createdAt;
    return order.captureId === null && this.clock.now() - since > lifetimeMs ? undefined : order;
  }

  /** Throws 404. */
  get(id: string, merchantId: string): OrderRecord {
    const order = this.find(id);
    if (order?.merchantId !== merchantId) throw notFound();
    return order;
  }

  /** Until the capture, the buyer may come back and choose another way to pay. */
  approve(id: string, method: OrderPaymentMethod, buyer: Buyer): OrderRecord {
    const order = this.find(id);
    if (!order) throw new Refusal(404, 'This order has expired. Go back to the shop and try again.');
    if (order.captureId !== null) throw new Refusal(409, 'This order has already been captured.');
    order.approval = {
      with: method,
      buyer,
      payerId: this.ledger.findOrCreatePayerId(buyer),
      at: this.clock.now(),
    };
    return order;
  }

  /** The error texts are PayPal's, with its typing mistakes. */
  capture(order: OrderRecord, approvalUrl: string): PaymentRecord {
    if (order.captureId !== null)
      throw unprocessable(
        'ORDER_ALREADY_CAPTURED',
        "Order already captured.If 'intent=CAPTURE' only one capture per order is allowed.",
      );
    if (!order.approval)
      throw unprocessable(
        'ORDER_NOT_APPROVED',
        "Payer has not yet approved the Order for payment. Please redirect the payer to the 'rel':'approve' url returned as part of the HATEOAS links within the Create Order call or provide a valid `payment_source` in the request.",
      );
    const { with: method, buyer } = order.approval;
    if (method === 'declined')
      throw unprocessable(
        'INSTRUMENT_DECLINED',
        "The instrument presented  was either declined by the processor or bank, or it can't be used for this payment.",
        undefined,
        { href: approvalUrl, rel: 'payer-action', method: 'GET' },
      );
    const purchase = this.purchaseOf(order);
    if (this.refusesInvoice(purchase))
      throw unprocessable(
        'DUPLICATE_INVOICE_ID',
        'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account setting requires that Invoice Id be unique for each transaction.',
      );
    const isDenied = method === 'refused';
    const payment = this.ledger.pay(purchase, order.request.amount.minor, isDenied ? 'card' : method, buyer, {
      orderId: order.id,
      isDenied,
    });
    order.captureId = payment.transactionId;
    return payment;
  }

  restore(orders: OrderRecord[]): void {
    for (const order of orders) this.orders.set(order.id, order);
  }

  private refusesInvoice({ merchantId, invoice }: Purchase): boolean {
    const { blocksDuplicateInvoices } = this.merchants.get(merchantId);
    return blocksDuplicateInvoices && this.ledger.hasPaidInvoice(merchantId, invoice);
  }

  private purchaseOf({ merchantId, request }: OrderRecord): Purchase {
    const { email, notifyUrl } = this.merchants.get(merchantId);
    return singleItemPurchase({
      merchantId,
      business: email,
      itemName: request.description ?? '',
      amount: request.amount.minor,
      currency: request.amount.currency,
      invoice: request.invoiceId ?? '',
      custom: request.customId ?? '',
      notifyUrl,
      returnUrl: request.returnUrl,
      cancelUrl: request.cancelUrl,
    });
  }
}
