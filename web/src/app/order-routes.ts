import * as meta from './meta.js';
import type { Page } from './page.js';

/** Orders and payment, for customers. */
const customerScreens: readonly Page[] = [
  {
    paths: ['/dashboard'],
    module: 'orders/dashboard',
    load: () => import('../features/orders/dashboard.route.js'),
    describe: meta.describeScreen('Dashboard'),
  },
  {
    paths: ['/my-order'],
    module: 'orders/my-order',
    load: () => import('../features/orders/my-order.route.js'),
    describe: meta.describeScreen('My orders'),
  },
  {
    paths: ['/pending-order'],
    module: 'orders/pending-order',
    load: () => import('../features/orders/pending-order.route.js'),
    describe: meta.describeScreen('Your pending orders'),
  },
  {
    paths: ['/order-now/:id'],
    module: 'orders/order-now',
    load: () => import('../features/orders/order-now.route.js'),
    describe: meta.describeScreen('SEO Plan'),
  },
  {
    paths: ['/pay-now/:id'],
    module: 'orders/pay-now',
    load: () => import('../features/orders/pay-now.route.js'),
    describe: meta.describeScreen('Pay now'),
  },
  {
    paths: ['/order-cancelled/:id'],
    module: 'orders/order-cancelled',
    load: () => import('../features/orders/order-cancelled.route.js'),
    describe: meta.describeScreen('Cancel an order'),
  },
  {
    paths: ['/received-payment/:id'],
    module: 'orders/received-payment',
    load: () => import('../features/orders/received-payment.route.js'),
    describe: meta.describeScreen('Your payment'),
  },
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
