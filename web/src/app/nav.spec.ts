import { expect, test } from '@jest/globals';
import { screenHandleAt, screens } from './screens.js';
import { adminNavigationOf } from '../features/admin/nav.js';

const id = '0190a5f4-5c1e-7000-8000-000000000001';

test.each([
  ['/view/' + id, 'Messages'],
  ['/admin/payment-status/' + id, 'Orders'],
  ['/paypal-email/' + id, 'Payment'],
  ['/faq-edit/' + id, 'FAQ'],
  ['/' + id, 'About'],
  ['/setting/designItem/' + id, 'Design items'],
  ['/setting/pageTitle/' + id, 'Page titles'],
  ['/setting/mailText/orderPaid', 'Mail templates'],
  ['/setting/pageTitle', undefined],
  ['/setting', undefined],
  ['/total-orders', undefined],
])(
  'at %s, the navigation marks %s as the parent of the screen (undefined if the screen is in the navigation itself)',
  (path, text) => {
    const { page } = screenHandleAt(path);
    const entries = adminNavigationOf({ screen: page, screens }, path).flatMap((group) => group.entries);
    expect(entries.filter(({ isAboveCurrent }) => isAboveCurrent).map((entry) => entry.text)).toEqual(
      text ? [text] : [],
    );
  },
);
