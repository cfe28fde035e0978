/** The event types of orders, payments and disputes, with PayPal's descriptions. */
export const eventTypes: Record<string, string> = {
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
  'CUSTOMER.DISPUTE.CREATED': 'A dispute is created.',
  'CUSTOMER.DISPUTE.UPDATED': 'A dispute is updated.',
  'CUSTOMER.DISPUTE.RESOLVED': 'A dispute is resolved.',
};

/** One entry of a list of event types. */
export const eventTypeResource = (name: string) =>
  name === '*'
    ? { name, description: 'ALL' }
    : {
        name,
        description: eventTypes[name],
        status: 'ENABLED',
        resource_versions: [name.startsWith('CUSTOMER.DISPUTE') ? '1.0' : '2.0'],
      };

export const isEventType = (name: unknown): name is string =>
  typeof name === 'string' && (name === '*' || Object.hasOwn(eventTypes, name));
