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
])('the mail about a refund of an order that is %s says whether it stays paid', (paymentStatus, staysPaid) => {
  const params = { ...order, money: { ...money, paymentStatus } };
  const mail = adminTemplates.adminOrderRefunded.write(params, brand);
  const text = renderText(mail, brand);
  expect(mail.subject).toBe('Refund of $290.00: order #1042, Basic for Ada');
  expect(text).toContain('$290.00 of order #1042 was refunded at PayPal, $290.00 in total.');
  expect(`${mail.heading} ${text}`).not.toMatch(/part/i);
  expect(text.includes('The order stays paid.')).toBe(staysPaid);
});
