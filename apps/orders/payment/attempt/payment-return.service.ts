import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, paymentContract, type PaymentOutlook } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import type { OrderEntity } from '../../order/order.entity.js';
import { OrderRepository } from '../../order/order.repository.js';
import { PaymentHoldRepository } from '../../order/payment-hold.repository.js';
import { PaymentNotificationProcessor } from '../notification/payment-notification.processor.js';
import { NoAnswerYet } from '../payment-provider.js';
import { PaymentProviders } from '../payment-providers.js';
import { PaymentAttemptRepository } from './payment-attempt.repository.js';

/** Answers customers who return from the checkout. Nothing in the address of that page is trusted. */
@Injectable()
export class PaymentReturnService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrderRepository,
    private readonly attempts: PaymentAttemptRepository,
    private readonly holds: PaymentHoldRepository,
    private readonly processor: PaymentNotificationProcessor,
    private readonly providers: PaymentProviders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Asks the provider about the transaction if it is new and the provider offers that, then returns what is known. Needs no inbox: asking again
   * gives the same event. NOT_FOUND, also for another person's order.
   */
  @Handles(paymentContract.returnFromPayment)
  async returned({ id: orderId, tx }: { id: string; tx?: string }, context: RequestContext) {
    const order = await this.ownOrder(orderId, context);
    const isNew = tx !== undefined && !order.payments.some(({ txnId }) => txnId === tx);
    await this.attempts.noteReturn(this.dataSource.manager, order.id);
    if (isNew) await this.lookUp(order.id, tx, context);
    return { outlook: await this.outlook(isNew ? await this.ownOrder(orderId, context) : order) };
  }

  private async ownOrder(id: string, { actor }: RequestContext): Promise<OrderEntity> {
    const order = 'accountId' in actor ? await this.orders.find(id, { accountId: actor.accountId }) : null;
    if (!order) throw new DomainError('NOT_FOUND');
    return order;
  }

  /** The notification arrives a little later anyway, so a provider that does not answer costs only time. */
  private async lookUp(orderId: string, transaction: string, { traceparent }: RequestContext): Promise<void> {
    const attempt = await this.attempts.findNewest(this.dataSource.manager, orderId);
    const provider = attempt ? this.providers.get(attempt.provider) : this.providers.current;
    try {
      const answer = await provider.lookUp(transaction);
      if (answer) await this.processor.processAnswer(provider, orderId, answer, traceparent);
    } catch (error) {
      if (!(error instanceof NoAnswerYet)) throw error;
      this.logger.warn({ reason: error.message }, 'The provider did not answer about a transaction');
    }
  }

  private async outlook(order: OrderEntity): Promise<PaymentOutlook> {
    const { paymentState } = order;
    if (paymentState === 'paid' || paymentState === 'partially_refunded') return 'paid';
    if (paymentState === 'pending') return 'pending';
    if (paymentState === 'disputed') return 'under_review';
    if (paymentState === 'refunded' || paymentState === 'cancelled') return 'cancelled';
    return (await this.holds.find(this.dataSource.manager, order)) ?? paymentState;
  }
}
