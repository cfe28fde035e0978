import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Order } from '#libs/contracts';
import { SiteContext } from '../../lib/site.js';
import { AccountContext } from '../../workspace/current-screen.js';
import { OrderDetails } from './OrderDetails.js';

const customerId = '019a0000-0000-7000-8000-000000000002';
const order: Order = {
  _id: '019a0000-0000-7000-8000-000000000001',
  number: 1042,
  accountId: customerId,
  orderDate: '11/21/2026',
  customerName: 'Ada Lovelace',
  customerEmail: 'ada@example.com',
  customerAddress: '1 Analytical Way',
  customerCountry: 'United Kingdom',
  packageName: 'Basic',
  packagePrice: '290.00',
  ...{ addedTax: '0.00', addedTaxRate: '0', billingDetails: null },
  paymentStatus: 'Paid',
  orderStatus: 'Pending',
  paymentState: 'paid',
  payments: [],
  refunded: '0.00',
  disputed: '0.00',
  paidTwice: false,
  cancelledBy: null,
  seller: null,
  renewal: null,
  paymentHold: null,
  payable: false,
  flags: [],
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  version: 1,
};

/** What the account `readerId` sees; by default, the order’s customer. */
function detailsHtml(changes: Partial<Order>, readerId = customerId): string {
  // A site without a `siteName` is named after this heading of its footer.
  const site = { footerAbout: [{ _id: 'a', aboutFooterText: 'Summit' }] };
  const frame = { version: 1, publicUrl: '', mapEmbedUrl: null, newsletterConsent: '', readAt: 0 };
  const data = { ...frame, site, imageTexts: {} };
  const reader = { id: readerId, email: 'ada@example.com', emailVerified: true, name: null } as const;
  return renderToStaticMarkup(
    <SiteContext value={{ data, refresh: () => undefined }}>
      <AccountContext value={{ ...reader, role: 'Customer' }}>
        <OrderDetails order={{ ...order, ...changes }} />
      </AccountContext>
    </SiteContext>,
  );
}

test.each<[string, string, Order['seller'], string]>([
  ['paid when the site had another name', 'that name', 'Northrank', 'Northrank'],
  ['paid before sellers were recorded', 'the site’s current name', null, 'Summit'],
])('the receipt of an order that was %s shows %s as the seller', (_when, _what, seller, shown) => {
  expect(detailsHtml({ seller })).toContain(`<dt>Seller</dt><dd>${shown}</dd>`);
});

test('an order that is not paid names no seller', () => {
  expect(detailsHtml({ paymentStatus: 'UnPaid', paymentState: 'unpaid' })).not.toContain('Seller');
});

test.each([
  ['its customer', customerId, 'Every month until you cancel'],
  ['anybody else', 'someone-else', 'Every month until Ada Lovelace cancels'],
])('an unpaid order that is to renew says to %s who can end the renewal', (_who, readerId, text) => {
  const unpaid = { paymentStatus: 'UnPaid', paymentState: 'unpaid' } as const;
  const renewal = { cycle: 1, subscriptionId: null };
  expect(detailsHtml({ ...unpaid, renewal }, readerId)).toContain(`<dt>Renewal</dt><dd>${text}</dd>`);
});
