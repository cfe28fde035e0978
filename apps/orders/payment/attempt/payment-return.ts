import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { DomainError, type PaymentOutlook } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import type { RequestContext } from '#libs/transport';
import { OrderEntity } from '../../order/order.entity.js';
import { PaymentHolds } from '../../order/payment-holds.js';
import { NoticeDesk } from '../notice/notice-desk.js';
import { NoAnswerYet, PaymentProvider } from '../payment-provider.js';
import { PaymentAttempts } from './payment-attempts.js';

/** What a customer is told who comes back from the checkout. Nothing in the address of that page is believed. */
@Injectable()
export class PaymentReturn {
  constructor(
    private readonly dataSource: DataSource,
    private readonly attempts: PaymentAttempts,
    private readonly holds: PaymentHolds,
    private readonly desk: NoticeDesk,
    private readonly provider: PaymentProvider,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Asks the provider about the transaction where that is possible, then says what is known. Needs no inbox: the same transaction asked about
   * again is the same event. NOT_FOUND, also for another person's order.
   */
  async returned(
    { id: orderId, tx }: { id: string; tx?: string },
    context: RequestContext,
  ): Promise<{ outlook: PaymentOutlook }> {
    const order = await this.ownOrder(orderId, context);
    const isNews = tx !== undefined && !order.payments.some(({ txnId }) => txnId === tx);
    await this.attempts.noteReturn(this.dataSource.manager, order.id);
    if (isNews) await this.ask(order.id, tx, context);
    return { outlook: await this.outlook(isNews ? await this.ownOrder(orderId, context) : order) };
  }

  private async ownOrder(id: string, { actor }: RequestContext): Promise<OrderEntity> {
    const accountId = 'accountId' in actor ? actor.accountId : undefined;
    const order =
      accountId !== undefined && isUuid(id)
        ? await this.dataSource.manager.findOneBy(OrderEntity, { id, accountId })
        : null;
    if (!order) throw new DomainError('NOT_FOUND');
    return order;
  }

  /** The notice tells the same a little later, so a provider that does not answer costs nothing but time. */
  private async ask(orderId: string, transaction: string, { traceparent }: RequestContext): Promise<void> {
    try {
      const answer = await this.provider.lookUp(transaction);
      if (answer) await this.desk.decideAnswer(orderId, answer, traceparent);
    } catch (error) {
      if (!(error instanceof NoAnswerYet)) throw error;
      this.logger.warn({ reason: error.message }, 'The provider could not be asked about a transaction');
    }
  }

  private async outlook(order: OrderEntity): Promise<PaymentOutlook> {
    const { paymentState } = order;
    if (paymentState === 'paid' || paymentState === 'partially_refunded') return 'paid';
    if (paymentState === 'pending') return 'pending';
    if (paymentState === 'disputed') return 'under_review';
    if (paymentState === 'refunded' || paymentState === 'cancelled') return 'cancelled';
    return (await this.holds.of(this.dataSource.manager, order)) ?? paymentState;
  }
}
