import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { accountDeleted, type EventPayload } from '#libs/contracts';
import { AuditTrail, Inbox, isConnectionError, transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { type EventContext, OnEvent } from '#libs/transport';
import { BillingDetailsRepository } from '../billing-details/billing-details.repository.js';
import { CustomerRepository } from '../customer/customer.repository.js';
import { DeletedAccountRepository } from '../order/deleted-account.repository.js';
import { StaffNoteRepository } from '../note/staff-note.repository.js';
import { OrderRepository } from '../order/order.repository.js';
import { orderName } from '../order/order.view.js';
import { PaymentNotificationRepository } from '../payment/notification/payment-notification.repository.js';
import { PaymentRefundRepository } from '../payment/refund/payment-refund.repository.js';
import { BillingClock } from '../payment/billing-clock.js';
import { SubscriptionChangeService } from '../subscription/subscription-change.service.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { subscriptionName } from '../subscription/subscription.view.js';
import { OrderTimelineRepository } from '../timeline/order-timeline.repository.js';
import { OrderTotalsRepository } from '../totals/order-totals.repository.js';

/** What timelines and the audit log call a deleted customer or payer. */
const formerCustomer = 'a deleted account';
/** What timelines, notes and refunds call a deleted admin. */
const formerAdmin = 'a former admin';

/**
 * Cancels the monthly plans of deleted accounts, and removes their personal data, except from invoices. What a deleted admin did stays in timelines,
 * without the admin's address. The audit log keeps the addresses of admins.
 */
@Injectable()
export class DeletedAccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly deletedAccounts: DeletedAccountRepository,
    private readonly orders: OrderRepository,
    private readonly totals: OrderTotalsRepository,
    private readonly timeline: OrderTimelineRepository,
    private readonly notes: StaffNoteRepository,
    private readonly customers: CustomerRepository,
    private readonly billingDetails: BillingDetailsRepository,
    private readonly notifications: PaymentNotificationRepository,
    private readonly refunds: PaymentRefundRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly subscriptionChanges: SubscriptionChangeService,
    private readonly billing: BillingClock,
    private readonly audit: AuditTrail,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @OnEvent(accountDeleted)
  async forget(deleted: EventPayload<typeof accountDeleted>, { eventId }: EventContext): Promise<void> {
    await this.inbox.consume('deleted-accounts', eventId, async (tx) => {
      // Otherwise `OrderTotalsRepository.fold` could restore the row in `customers` that is deleted below.
      await this.totals.preventFolding(tx);
      await this.deletedAccounts.add(tx, deleted.accountId);
      await this.subscriptions.anonymizeAdmin(tx, deleted.accountId, formerAdmin);
      await this.cancelPlansAndAnonymize(tx, deleted.accountId);
      await this.notes.anonymizeAuthor(tx, deleted.accountId, formerAdmin);
      await this.refunds.anonymizeAdmin(tx, deleted.accountId, formerAdmin);
      await this.timeline.anonymizeAdminOrPayer(tx, deleted, { admin: formerAdmin, payer: formerCustomer });
    });
  }

  /** Stores that the plans are to be cancelled. Inquiries ask the provider to cancel each plan until it is cancelled. */
  private async cancelSubscriptions(tx: EntityManager, accountId: string): Promise<void> {
    for (const subscription of await this.subscriptions.lockOfAccount(tx, accountId)) {
      if (subscription.state === 'ended') continue;
      const change = {
        desiredStatus: 'cancelled',
        desiredStatusReason: null,
        endReason: 'account_deleted',
      } as const;
      await this.subscriptionChanges.apply(tx, subscription, change);
      await this.subscriptions.scheduleInquiry(tx, { id: subscription.id }, this.billing.now());
    }
  }

  /**
   * Personal data may arrive after the deletion, such as an order that was being placed. `listWithPersonalData` looks back a day, so that nothing is
   * left behind even if no sweep succeeds for some hours.
   */
  async sweep(): Promise<void> {
    for (const accountId of await this.deletedAccounts.listWithPersonalData()) {
      try {
        await transaction(this.dataSource, (tx) => this.cancelPlansAndAnonymize(tx, accountId));
      } catch (error) {
        if (isConnectionError(error)) throw error;
        // Go on with the other accounts: personal data is looked for during one day only.
        this.logger.error(
          { err: error, accountId },
          'Removing the personal data of a deleted account failed; will retry',
        );
      }
    }
  }

  private async cancelPlansAndAnonymize(tx: EntityManager, accountId: string): Promise<void> {
    await this.cancelSubscriptions(tx, accountId);
    // Before `orders.anonymize`, because entries are found by the addresses in the orders.
    await this.timeline.anonymizeCustomer(tx, accountId, formerCustomer);
    await this.notifications.eraseBodies(tx, accountId);
    await this.refunds.eraseReasons(tx, accountId);
    await this.customers.delete(tx, accountId);
    await this.billingDetails.delete(tx, accountId);
    const subscriptions = await this.subscriptions.anonymizeCustomer(tx, accountId, formerCustomer);
    const orders = await this.orders.anonymize(tx, accountId);
    for (const { id: orderId } of orders) {
      const text =
        'The customer deleted their account. Their name and addresses were removed from this order.';
      await this.timeline.append(tx, orderId, [{ kind: 'details_blanked', text, by: null }]);
    }
    // The statements above have locked the orders, plans and customer that they changed, so these find every note and audit entry about them.
    await this.notes.deleteAbout(tx, accountId);
    await this.audit.anonymize(tx, 'order', namesById(orders, orderName), ['reason']);
    await this.audit.anonymize(tx, 'planSubscription', namesById(subscriptions, subscriptionName));
    await this.audit.anonymize(tx, 'customer', new Map([[accountId, formerCustomer]]));
  }
}

function namesById<R extends { id: string }>(
  records: readonly R[],
  nameOf: (record: R) => string,
): Map<string, string> {
  return new Map(records.map((record) => [record.id, nameOf(record)]));
}
