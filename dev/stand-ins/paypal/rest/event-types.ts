/**
 * PayPal's descriptions of event types. Four occur only as mock events (of `simulate-event`): PAYMENT.REFUND.PENDING and PAYMENT.REFUND.FAILED,
 * because refunds are instant here; CUSTOMER.DISPUTE.UPDATED, because disputes have no intermediate steps; CHECKOUT.PAYMENT-APPROVAL.REVERSED,
 * because approvals just expire.
 */
export const eventTypeDescriptions: Record<string, string> = {
  'CHECKOUT.ORDER.APPROVED': 'A buyer approved a checkout order',
  'CHECKOUT.ORDER.COMPLETED': 'A checkout order is processed.',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED':
    'A problem occurred after the buyer approved the order but before you captured the payment.',
  'PAYMENT.CAPTURE.COMPLETED': 'A payment capture completes.',
  'PAYMENT.CAPTURE.DECLINED': 'A payment capture is declined.',
  'PAYMENT.CAPTURE.DENIED': 'A payment capture is denied.',
  'PAYMENT.CAPTURE.PENDING': 'The state of a payment capture changes to pending.',
  'PAYMENT.CAPTURE.REFUNDED': 'A merchant refunds a payment capture.',
  'PAYMENT.CAPTURE.REVERSED': 'PayPal reverses a payment capture.',
  'PAYMENT.REFUND.PENDING': 'A refund related to a capture is pending.',
  'PAYMENT.REFUND.FAILED': 'A refund related to a capture fails.',
  'PAYMENT.SALE.COMPLETED': 'A sale completes.',
  'PAYMENT.SALE.DENIED': 'The state of a sale changes from pending to denied.',
  'PAYMENT.SALE.PENDING': 'The state of a sale changes to pending.',
  'PAYMENT.SALE.REFUNDED': 'A merchant refunds a sale.',
  'PAYMENT.SALE.REVERSED': 'PayPal reverses a sale.',
  'CATALOG.PRODUCT.CREATED': 'A product is created.',
  'BILLING.PLAN.CREATED': 'A billing plan is created.',
  'BILLING.SUBSCRIPTION.CREATED': 'A subscription is created.',
  'BILLING.SUBSCRIPTION.ACTIVATED': 'A subscription is activated.',
  'BILLING.SUBSCRIPTION.UPDATED': 'A subscription is updated.',
  'BILLING.SUBSCRIPTION.EXPIRED': 'A subscription expires.',
  'BILLING.SUBSCRIPTION.CANCELLED': 'A subscription is cancelled.',
  'BILLING.SUBSCRIPTION.SUSPENDED': 'A subscription is suspended.',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED': 'Payment failed on subscription.',
  'BILLING.SUBSCRIPTION.RE-ACTIVATED': 'A subscription is re-activated.',
  'CUSTOMER.DISPUTE.CREATED': 'A dispute is created.',
  'CUSTOMER.DISPUTE.UPDATED': 'A dispute is updated.',
  'CUSTOMER.DISPUTE.RESOLVED': 'A dispute is resolved.',
};

export const eventTypeResource = (name: string) =>
  name === '*'
    ? { name, description: 'ALL' }
    : {
        name,
        description: eventTypeDescriptions[name],
        status: 'ENABLED',
        resource_versions: [hasResourceVersion1(name) ? '1.0' : '2.0'],
      };

/** Whether the resource of an event of this type has version 1.0. The event itself then contains no `resource_version`. */
export const hasResourceVersion1 = (eventType: string) =>
  /^(CUSTOMER|PAYMENT\.SALE|CATALOG)\./.test(eventType);

/** `resource_type` of an event. */
export function resourceTypeOf(eventType: string): string {
  if (eventType.startsWith('CHECKOUT.')) return 'checkout-order';
  if (eventType.startsWith('CUSTOMER.')) return 'dispute';
  if (eventType.startsWith('CATALOG.')) return 'product';
  if (eventType.startsWith('BILLING.PLAN.')) return 'plan';
  if (eventType.startsWith('BILLING.')) return 'subscription';
  if (/^PAYMENT\.REFUND\.|\.(REFUNDED|REVERSED)$/.test(eventType)) return 'refund';
  return eventType.startsWith('PAYMENT.SALE.') ? 'sale' : 'capture';
}

/** The name of an event type, or `*` for all. */
export const isEventType = (name: unknown): name is string =>
  typeof name === 'string' && (name === '*' || Object.hasOwn(eventTypeDescriptions, name));
