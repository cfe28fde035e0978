import { expect, test } from '@jest/globals';
import { renderText } from '../mail/render-text.js';
import { adminTemplates } from './admin-emails.js';

const brand = { name: 'Northrank', siteUrl: 'https://northrank.example' };
const order = {
  orderId: '019a5c1e-7d40-7b3a-9c55-2f1d8e6b4a01',
  orderNumber: '#1042',
  name: 'Ada',
  email: 'ada@example.com',
  packageName: 'Basic',
  price: '290.00',
  orderDate: '11/21/2026',
  amount: '290.00',
};
const money = { payments: [], paymentHold: null, refunded: '290.00', payable: false };

test.each([
  ['Paid', true],
  ['UnPaid', false],
  ['Cancelled', false],
])(
  'the mail about the refund of an order that is now %s says that the order stays paid: %s',
  (paymentStatus, staysPaid) => {
    const params = { ...order, money: { ...money, paymentStatus } };
    const mail = adminTemplates.adminOrderRefunded.write(params, brand);
    const text = renderText(mail, brand);
    expect(mail.subject).toBe('Refund of $290.00: order #1042, Basic for Ada');
    expect(text).toContain(
      '$290.00 was refunded at PayPal for order #1042. In total, $290.00 of this order has been refunded.',
    );
    // The mail does not call the refund partial, because the whole price may have been refunded.
    expect(`${mail.heading} ${text}`).not.toMatch(/part/i);
    expect(text.includes('The order stays paid.')).toBe(staysPaid);
  },
);

test.each([
  ['adminOrderPlaced', '', 'A deleted account ordered Basic'],
  ['adminProjectBrief', '', 'A deleted account has completed'],
  ['adminProjectChanges', 'a former customer', 'A former customer has looked'],
  ['adminProjectAccepted', 'van Dyke', 'Van Dyke has accepted'],
] as const)(
  '%s begins its sentence about a customer called %j with a capital letter',
  (template, name, words) => {
    const project = {
      ...{ projectId: order.orderId, number: 1042, title: 'SEO audit', step: null, questions: 0 },
      ...{ deliverable: null, reason: 'payment', dueOn: null },
    };
    const mail = adminTemplates[template].write({ ...order, ...project, name }, brand);
    expect(renderText(mail, brand)).toContain(words);
    expect(mail.subject).toContain(` for ${name || 'a deleted account'}`);
  },
);

test('the mail about a suspended plan shows only the price with tax', () => {
  const plan = {
    _id: '019a5c1e-7d40-7b3a-9c55-2f1d8e6b4a03',
    customerName: 'Ada',
    customerEmail: 'ada@example.com',
    packageName: 'Basic',
    price: '290.00',
    priceWithTax: '345.10',
    firstOrderId: order.orderId,
    firstOrderNumber: 1042,
    nextChargeAt: null,
    nextChargeAmount: null,
    graceEndsAt: null,
    retryAt: null,
    outstanding: null,
    endsOn: null,
    endReason: null,
    change: null,
    paymentMethodUrl: '',
    actions: [],
  };
  const mail = adminTemplates.adminPlanStopped.write({ ...plan, news: 'suspended' }, brand);
  const text = renderText(mail, brand);
  expect(text).toContain('$345.10 wasn’t paid in time.');
  expect(text).toContain('Price: $345.10 a month');
  expect(text).not.toContain('290.00');
});
