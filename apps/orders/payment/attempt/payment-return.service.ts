import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, paymentContract, type PaymentOutlook } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import { RecordAccess } from '../../access/record-access.js';
import type { OrderEntity } from '../../order/order.entity.js';
import { OrderRepository } from '../../order/order.repository.js';
import { PaymentHoldRepository } from '../../order/payment-hold.repository.js';
import { isProvidersFault, RefusedByProvider } from '../payment-provider.js';
import { BuyerCalls } from './buyer-calls.js';
import type { PaymentAttemptEntity } from './payment-attempt.entity.js';
import { PaymentAttemptRepository } from './payment-attempt.repository.js';
import { PaymentInquiryService } from './payment-inquiry.service.js';

/** Sooner than after other failed inquiries, because the buyer is waiting. */
const retrySeconds = 5;

/** Nothing in the address that the buyer returns to is trusted. */
@Injectable()
export class PaymentReturnService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordAccess,
    private readonly orders: OrderRepository,
    private readonly attempts: PaymentAttemptRepository,
    private readonly holds: PaymentHoldRepository,
    private readonly inquiries: PaymentInquiryService,
    private readonly calls: BuyerCalls,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Needs no inbox: a repeated call records nothing twice. Throws NOT_FOUND if the actor may not pay the order, or it does not exist. */
  @Handles(paymentContract.returnFromPayment)
  async handleReturn({ id: orderId, tx: txnId }: { id: string; tx?: string }, context: RequestContext) {
    const order = await this.getOrderForPayer(orderId, context);
    const { manager } = this.dataSource;
    const namesNewTransaction =
      txnId !== undefined && !order.payments.some((payment) => payment.txnId === txnId);
    await this.attempts.recordReturn(manager, order.id);
    const unsettled = await this.attempts.listUnsettled(manager, order.id);
    const newest =
      namesNewTransaction && unsettled.length === 0
        ? await this.attempts.findNewest(manager, order.id)
        : null;
    // `unsettled` has only attempts with a checkout reference. About an attempt without a reference, the provider can be asked only if the buyer
    // names a transaction.
    const attempts = newest?.checkoutReference === null ? [newest] : unsettled;
    for (const attempt of attempts) await this.inquire(attempt, txnId, context);
    return {
      outlook: await this.outlookOf(
        attempts.length > 0 ? await this.getOrderForPayer(orderId, context) : order,
      ),
    };
  }

  private async getOrderForPayer(id: string, { actor }: RequestContext): Promise<OrderEntity> {
    const order = await this.orders.find(id);
    if (!order) throw new DomainError('NOT_FOUND');
    await this.access.requireCustomerOrPayer(actor, order.accountId);
    return order;
  }

  /** If the provider does not answer or refuses to, a notification or a scheduled inquiry brings the result a little later. */
  private async inquire(
    attempt: PaymentAttemptEntity,
    txnId: string | undefined,
    context: RequestContext,
  ): Promise<void> {
    const { id: attemptId, orderId } = attempt;
    const call = () => this.inquiries.inquire(attempt, txnId, context.traceparent);
    try {
      await this.calls.run(context, call, { attemptId, orderId });
    } catch (error) {
      if (!isProvidersFault(error)) throw error;
      this.logger.warn(
        { attemptId, orderId, reason: error.message },
        'The provider did not say what became of a payment',
      );
      // If another attempt may now pay the order, `allowAnotherAttempt` has brought the next inquiry forward, but to 30 seconds from now instead of
      // `retrySeconds`, because a refusal of that inquiry would end the inquiries.
      if (error instanceof RefusedByProvider && (await this.inquiries.allowAnotherAttempt(attempt))) return;
      await this.attempts.bringInquiryForward(this.dataSource.manager, retrySeconds, attempt);
    }
  }

  private async outlookOf(order: OrderEntity): Promise<PaymentOutlook> {
    const { paymentState } = order;
    if (paymentState === 'paid' || paymentState === 'partially_refunded') return 'paid';
    if (paymentState === 'pending') return 'pending';
    if (paymentState === 'disputed') return 'under_review';
    // The payment status of a refunded order is Cancelled, too.
    if (paymentState === 'refunded' || paymentState === 'cancelled') return 'cancelled';
    return (await this.holds.find(this.dataSource.manager, order)) ?? paymentState;
  }
}
