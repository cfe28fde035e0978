import { privateShells } from '#libs/contracts';
import type { Page } from './page.js';

/** Its name is in the shell that the server sends, and the screen says it once it is there: visitors' code knows none. */
export const describeAdmin: Page['describe'] = () => ({ title: '', heading: '', indexed: false });

const handWritten: readonly Page[] = [
  {
    paths: ['/admin'],
    load: () =>
      import('./admin-orders.js').then(({ AdminDashboardScreen }) => ({ Component: AdminDashboardScreen })),
    describe: describeAdmin,
  },
  {
    paths: ['/setting'],
    module: 'admin/setting',
    load: () => import('../features/admin/setting.route.js'),
    describe: describeAdmin,
  },
  {
    paths: ['/all-subscriber'],
    load: () => import('./SentOr.js').then(({ SentOrSubscribers }) => ({ Component: SentOrSubscribers })),
    describe: describeAdmin,
  },
  {
    paths: ['/all-messages'],
    load: () => import('./SentOr.js').then(({ SentOrMessages }) => ({ Component: SentOrMessages })),
    describe: describeAdmin,
  },
  {
    paths: ['/view/:id'],
    module: 'admin/message',
    load: () => import('../features/admin/message.route.js'),
    describe: describeAdmin,
  },
  {
    paths: ['/sent-mail', '/campaigns', '/campaign/:id'],
    load: () => import('./admin-orders.js').then(({ MailScreens }) => ({ Component: MailScreens })),
    describe: describeAdmin,
  },
  {
    paths: ['/add-user'],
    module: 'admin/users',
    load: () => import('../features/admin/users.route.js'),
    describe: describeAdmin,
  },
  {
    paths: ['/audit-log'],
    module: 'admin/audit',
    load: () => import('../features/admin/audit.route.js'),
    describe: describeAdmin,
  },
  {
    paths: ['/admin-user/:id'],
    module: 'admin/user',
    load: () => import('../features/admin/user.route.js'),
    describe: describeAdmin,
  },
];

/** Screens of customers, and what orders and payments bring with them. All other shells edit content. */
const otherShells: ReadonlySet<string> = new Set([
  '/order-now/:id',
  '/my-order',
  '/pending-order',
  '/dashboard',
  '/account',
  '/account/security',
  '/pay-now/:id',
  '/order-cancelled/:id',
  '/received-payment/:id',
  '/admin/payment-status/:id',
  '/total-orders',
  '/paypal-email/:id',
  ...handWritten.flatMap(({ paths }) => paths),
]);

const contentShells = privateShells.filter((path) => !otherShells.has(path));
const editsRecord = (path: string) => path.endsWith('/:id');

export const adminScreens: readonly Page[] = [
  ...handWritten,
  {
    paths: contentShells.filter((path) => !editsRecord(path)),
    load: () => import('./ContentEdit.js').then(({ List }) => ({ Component: List })),
    describe: describeAdmin,
  },
  {
    paths: contentShells.filter(editsRecord),
    load: () => import('./ContentEdit.js'),
    describe: describeAdmin,
  },
];
