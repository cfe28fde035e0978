import { expect, test } from '@jest/globals';
import { referencesInWebhook } from './webhook-event.js';

const references = (event: object) => referencesInWebhook(Buffer.from(JSON.stringify(event)));
const saleUrl = 'https://api.paypal.com/v1/payments/sale/80021663DE681814L';
const captureUrl = 'https://api.paypal.com/v2/payments/captures/3C679366HH908993F';

test.each([
  [
    'an approved order',
    {
      resource_type: 'checkout-order',
      resource: { id: '5O190127TN364715T', purchase_units: [{ custom_id: 'a1' }] },
    },
    { token: 'a1', checkoutReference: '5O190127TN364715T' },
  ],
  [
    'a charge of a subscription',
    {
      resource_type: 'sale',
      resource: { id: '80021663DE681814L', custom: 'a1', billing_agreement_id: 'I-BW452GLLEP1G' },
    },
    { checkoutReference: 'I-BW452GLLEP1G' },
  ],
  [
    'a subscription whose charge failed',
    {
      event_type: 'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
      resource_type: 'subscription',
      resource: { id: 'I-BW452GLLEP1G', custom_id: 'a1' },
    },
    { checkoutReference: 'I-BW452GLLEP1G' },
  ],
  [
    'a refund of a charge',
    {
      resource_type: 'refund',
      resource: {
        id: '6YX43824R4443062K',
        sale_id: '80021663DE681814L',
        links: [{ rel: 'sale', href: saleUrl }],
      },
    },
    { txnId: '80021663DE681814L', refundTxnId: '6YX43824R4443062K' },
  ],
  [
    // If the notification named its attempt, the order could not be paid while the notification waits.
    'none for a new subscription that nobody has approved',
    {
      event_type: 'BILLING.SUBSCRIPTION.CREATED',
      resource_type: 'subscription',
      resource: { id: 'I-BW452GLLEP1G', custom_id: 'a1' },
    },
    {},
  ],
  [
    'none for a charge of a subscription whose id cannot be PayPal’s',
    { resource_type: 'sale', resource: { id: '8', billing_agreement_id: "I-1' OR 1=1" } },
    {},
  ],
  [
    'only our token for an order whose id cannot be PayPal’s',
    { resource_type: 'checkout-order', resource: { id: "5O' OR 1=1", custom_id: 'a1' } },
    { token: 'a1' },
  ],
  [
    'a refund of a capture',
    {
      resource_type: 'refund',
      resource: { id: '6YX43824R4443062K', custom_id: 'a1', links: [{ rel: 'up', href: captureUrl }] },
    },
    { token: 'a1', txnId: '3C679366HH908993F' },
  ],
  [
    'a refund of a capture whose id contains a hyphen',
    {
      resource_type: 'refund',
      resource: {
        id: 'R-1',
        links: [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/C-1' }],
      },
    },
    { txnId: 'C-1' },
  ],
  [
    'none for a refund of a capture whose id cannot be PayPal’s',
    { resource_type: 'refund', resource: { id: 'R-1', links: [{ rel: 'up', href: `${captureUrl}'` }] } },
    {},
  ],
  [
    'a dispute',
    {
      resource_type: 'dispute',
      resource: { disputed_transactions: [{ seller_transaction_id: '3C679366HH908993F', custom: 'a1' }] },
    },
    { token: 'a1', txnId: '3C679366HH908993F' },
  ],
  [
    'none for an order whose id is not a string',
    { resource_type: 'checkout-order', resource: { id: 5, custom_id: 'a1' } },
    {},
  ],
  ['none for an empty event', {}, {}],
])('the references in a webhook: %s', (_, event, expected) => {
  expect(references(event)).toEqual(expected);
});

test.each(['', '{', 'null', '[]', '"text"'])('the body %j has no references', (body) => {
  expect(referencesInWebhook(Buffer.from(body))).toEqual({});
});
