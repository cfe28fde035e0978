import * as meta from './meta.js';
import type { Page } from './page.js';

/** Orders and payment, for customers. */
const customerScreens: readonly Page[] = [
  meta.screen(
    '/dashboard',
    'orders/dashboard',
    'Dashboard',
    () => import('../features/orders/dashboard.route.js'),
  ),
  meta.screen(
    '/my-order',
    'orders/my-order',
    'My orders',
    () => import('../features/orders/my-order.route.js'),
  ),
  meta.screen(
    '/pending-order',
    'orders/pending-order',
    'Your pending orders',
    () => import('../features/orders/pending-order.route.js'),
  ),
  meta.screen(
    '/order-now/:id',
    'orders/order-now',
    'SEO Plan',
    () => import('../features/orders/order-now.route.js'),
  ),
  meta.screen(
    '/pay-now/:id',
    'orders/pay-now',
    'Pay now',
    () => import('../features/orders/pay-now.route.js'),
  ),
  meta.screen(
    '/order-cancelled/:id',
    'orders/order-cancelled',
    'Cancel an order',
    () => import('../features/orders/order-cancelled.route.js'),
  ),
  meta.screen(
    '/received-payment/:id',
    'orders/received-payment',
    'Your payment',
    () => import('../features/orders/received-payment.route.js'),
  ),
];

/** The same, for admins: in the frame of the admin area, which only this folder knows. */
const adminScreens: readonly Page[] = [
  {
    paths: ['/total-orders'],
    load: () =>
      import('./admin-orders.js').then(({ TotalOrdersScreen }) => ({ Component: TotalOrdersScreen })),
    describe: meta.describeScreen('Total orders'),
  },
  {
    paths: ['/admin/payment-status/:id'],
    load: () => import('./admin-orders.js').then(({ OrderScreen }) => ({ Component: OrderScreen })),
    describe: meta.describeScreen('Update an order'),
  },
  {
    paths: ['/paypal-email/:id'],
    load: () =>
      import('./admin-orders.js').then(({ PaypalEmailScreen }) => ({ Component: PaypalEmailScreen })),
    describe: meta.describeScreen('PayPal e-mail'),
  },
  {
    paths: ['/add-paypal-Email'],
    load: () =>
      import('./admin-orders.js').then(({ AddPaypalEmailScreen }) => ({ Component: AddPaypalEmailScreen })),
    describe: meta.describeScreen('PayPal e-mail'),
  },
];

export const orderScreens: readonly Page[] = [...customerScreens, ...adminScreens];
