import { lazy, type ReactNode } from 'react';
import { useLocation, useRoutes } from 'react-router-dom';
import { aboutEditShell } from '#libs/contracts';
import { contentAddresses } from '../features/admin/content-addresses.js';
import type { Access, Page } from '../lib/page.js';
import { isRecordId } from '../lib/record-id.js';
import { useDocumentHead } from './document-head.js';
import { type PageHandle, pageHandleAt, pageRoutes } from './page-routes.js';

const withAccess = (access: Access, pages: readonly Page[]): readonly Page[] =>
  pages.map((page) => ({ ...page, access }));

const accountScreens = withAccess('account', [
  {
    path: '/dashboard',
    title: 'Dashboard',
    nav: { text: 'Dashboard' },
    load: () => import('../features/orders/dashboard.route.js'),
  },
  {
    path: '/projects',
    title: 'Projects',
    nav: { text: 'Projects', countsUnread: true },
    load: () => import('../features/projects/projects.route.js'),
  },
  {
    path: '/project/:id',
    title: 'Project',
    parent: '/projects',
    load: () => import('../features/projects/project.route.js'),
  },
  {
    path: '/project/:id/brief',
    title: 'Questions before we begin',
    parent: '/projects',
    load: () => import('../features/projects/brief.route.js'),
  },
  {
    path: '/project/:id/report',
    title: 'Report',
    parent: '/projects',
    load: () => import('../features/projects/report.route.js'),
  },
  {
    path: '/team',
    title: 'Team',
    nav: { text: 'Team' },
    load: () => import('../features/team/team.route.js'),
  },
  {
    path: '/my-order',
    title: 'My orders',
    nav: { text: 'My orders' },
    load: () => import('../features/orders/my-order.route.js'),
  },
  {
    path: '/pending-order',
    title: 'Your pending orders',
    nav: { text: 'Pending orders' },
    load: () => import('../features/orders/pending-order.route.js'),
  },
  {
    path: '/order-now/:id',
    title: 'SEO Plan',
    nav: { text: 'Order a plan', to: '/pricing/' },
    load: () => import('../features/orders/order-now.route.js'),
  },
  {
    path: '/pay-now/:id',
    title: 'Pay now',
    load: () => import('../features/orders/pay-now.route.js'),
  },
  {
    path: '/order-cancelled/:id',
    title: 'Cancel an order',
    load: () => import('../features/orders/order-cancelled.route.js'),
  },
  {
    path: '/received-payment/:id',
    title: 'Your payment',
    load: () => import('../features/orders/received-payment.route.js'),
  },
  {
    path: '/monthly-plans',
    title: 'Monthly plans',
    nav: { text: 'Monthly plans', ifPlans: true },
    load: () => import('../features/monthly-plans/monthly-plans.route.js'),
  },
  {
    path: '/monthly-plan/:id',
    title: 'Monthly plan',
    parent: '/monthly-plans',
    load: () => import('../features/monthly-plans/monthly-plan.route.js'),
  },
  {
    path: '/my-invoices',
    title: 'Invoices',
    nav: { text: 'Invoices', ifInvoices: true },
    load: () => import('../features/invoices/my-invoices.route.js'),
  },
  {
    path: '/account',
    title: 'Your account',
    nav: { text: 'Account' },
    load: () => import('../features/account/account.route.js'),
  },
  {
    path: '/account/security',
    title: 'Security',
    nav: { text: 'Security' },
    load: () => import('../features/security/security.route.js'),
  },
]);

const adminScreens = withAccess('admin', [
  {
    path: '/admin',
    title: 'Admin panel',
    nav: { text: 'Dashboard' },
    load: () => import('./admin-dashboard.js'),
  },
  {
    path: '/total-orders',
    title: 'Total Orders',
    nav: { text: 'Orders', searchable: true },
    load: () => import('./total-orders.js'),
  },
  {
    path: '/admin/payment-status/:id',
    title: 'Order',
    parent: '/total-orders',
    load: () => import('./update-order.js'),
  },
  {
    path: '/admin/projects',
    title: 'Projects',
    nav: {
      text: 'Projects',
      keywords: 'work briefs board kanban messages files deliverables due dates my work threads assigned',
      searchable: true,
      countsUnread: true,
    },
    load: () => import('./projects.js'),
  },
  {
    path: '/admin/project/:id',
    title: 'Project',
    parent: '/admin/projects',
    load: () => import('./project.js'),
  },
  {
    path: '/admin/project-templates',
    title: 'Project templates',
    parent: '/admin/projects',
    nav: {
      text: 'Project templates',
      keywords: 'briefs questions forms onboarding checklist delivery time welcome message packages',
    },
    load: () => import('./project-templates.js'),
  },
  {
    path: '/admin/project-template/:id',
    title: 'Project template',
    parent: '/admin/project-templates',
    load: () => import('./project-template.js'),
  },
  {
    path: '/admin/project-settings',
    title: 'Project reminders',
    parent: '/admin/projects',
    nav: { text: 'Project reminders', keywords: 'project settings remind customers acceptance silence days' },
    load: () => import('./project-settings.js'),
  },
  {
    path: '/admin/invoices',
    title: 'Invoices',
    nav: {
      text: 'Invoices',
      keywords: 'credit notes tax VAT accountant bookkeeping PDF e-invoice Factur-X',
      searchable: true,
    },
    load: () => import('./invoices.js'),
  },
  {
    path: '/admin/invoice-settings',
    title: 'Invoice settings',
    parent: '/admin/invoices',
    nav: { text: 'Invoice settings', keywords: 'seller tax VAT OSS numbers company address' },
    load: () => import('./invoice-settings.js'),
  },
  {
    path: '/admin/monthly-plans',
    title: 'Monthly plans',
    nav: {
      text: 'Monthly plans',
      keywords: 'subscriptions recurring renewals revenue MRR churn past due',
      searchable: true,
      ifPlans: true,
    },
    load: () => import('./monthly-plans.js'),
  },
  {
    path: '/admin/monthly-plan/:id',
    title: 'Monthly plan',
    parent: '/admin/monthly-plans',
    load: () => import('./monthly-plan.js'),
  },
  {
    path: '/admin/recurring-revenue',
    title: 'Recurring revenue',
    parent: '/admin/monthly-plans',
    load: () => import('./recurring-revenue.js'),
  },
  {
    path: '/admin/price-change',
    title: 'Price change',
    parent: '/admin/monthly-plans',
    load: () => import('./price-change.js'),
  },
  {
    path: '/customers',
    title: 'Customers',
    nav: { text: 'Customers', keywords: 'clients buyers people', searchable: true },
    load: () => import('./customers.js'),
  },
  {
    path: '/customer/:id',
    title: 'Customer',
    parent: '/customers',
    load: () => import('./customer.js'),
  },
  {
    path: '/all-messages',
    title: 'Messages',
    thanks: true,
    nav: { text: 'Messages', searchable: true },
    load: () => import('../features/admin/messages.route.js'),
  },
  {
    path: '/view/:id',
    title: 'Message',
    parent: '/all-messages',
    load: () => import('../features/admin/message.route.js'),
  },
  {
    path: '/all-subscriber',
    title: 'Subscribers',
    thanks: true,
    nav: { text: 'Subscribers', searchable: true },
    load: () => import('../features/admin/subscribers.route.js'),
  },
  {
    path: '/campaigns',
    title: 'Campaigns',
    nav: { text: 'Campaigns', keywords: 'newsletter letters send schedule subscribers', searchable: true },
    load: () => import('../features/admin/campaigns/campaigns.route.js'),
  },
  {
    path: '/campaign/:id',
    title: 'Campaign',
    parent: '/campaigns',
    load: () => import('../features/admin/campaigns/campaign.route.js'),
  },
  {
    path: '/sent-mail',
    title: 'Sent Mail',
    nav: {
      text: 'Sent mail',
      keywords: 'Mails e-mail notices delivery failed bounced send again',
      searchable: true,
    },
    load: () => import('./sent-mail.js'),
  },
  {
    path: '/add-user',
    title: 'Admin users',
    nav: { text: 'Admin users' },
    load: () => import('../features/admin/admin-users.route.js'),
  },
  {
    path: '/admin-user/:id',
    title: 'Update admin user',
    parent: '/add-user',
    load: () => import('../features/admin/admin-user.route.js'),
  },
  {
    path: '/notifications',
    title: 'Notifications',
    nav: { text: 'Notifications', keywords: 'e-mails alerts tell me orders payments' },
    load: () => import('../features/admin/notifications.route.js'),
  },
  {
    path: '/add-paypal-Email',
    title: 'PayPal e-mail',
    isOpen: true,
    nav: { text: 'Payment', keywords: 'PayPal e-mail' },
    load: () => import('./add-paypal-email.js'),
  },
  {
    path: '/paypal-email/:id',
    title: 'PayPal e-mail',
    parent: '/add-paypal-Email',
    load: () => import('../features/admin/paypal-email.route.js'),
  },
  {
    path: '/audit-log',
    title: 'Audit log',
    nav: { text: 'Audit log', keywords: 'history changes who', searchable: true },
    load: () => import('../features/admin/audit.route.js'),
  },
  {
    path: '/setting',
    title: 'Settings',
    nav: { text: 'All settings' },
    load: () => import('../features/admin/setting.route.js'),
  },
]);

const contentEditor: Pick<Page, 'access' | 'load'> = {
  access: 'admin',
  load: () => import('./content-screens-with-preview.js'),
};

/** Below `/setting`: sections that are not in `content-addresses.ts`, and the edit screens of `parts` without an `editPath`. */
const contentScreens: readonly Page[] = [
  ...contentAddresses.flatMap(({ path, label, group, parts }): Page[] => [
    {
      path,
      title: label,
      access: 'admin',
      parent: '/setting',
      nav: { text: label, group },
      load: () => import('./content-screens-with-preview.js').then(({ List: Component }) => ({ Component })),
    },
    ...parts.flatMap(({ editPath, editTitle }) =>
      editPath ? [{ path: editPath, title: editTitle, parent: path, ...contentEditor }] : [],
    ),
  ]),
  {
    path: '/setting/mailText',
    title: 'Mail templates',
    access: 'admin',
    parent: '/setting',
    load: () => import('../features/admin/mail-texts/mail-texts.route.js'),
  },
  {
    path: '/setting/mailText/:id',
    title: 'Mail template',
    access: 'admin',
    parent: '/setting/mailText',
    load: () => import('../features/admin/mail-texts/mail-text.route.js'),
  },
  // The next two screens set their own tab title.
  {
    path: '/setting/:section',
    access: 'admin',
    parent: '/setting',
    load: () => import('./content-screens-with-preview.js').then(({ List: Component }) => ({ Component })),
  },
  { path: '/setting/:section/:id', parent: '/setting', ...contentEditor },
];

/** Screens that anyone with a link can open. They are not in `pages.ts`, because all visitors load that table. */
const linkedScreens: readonly Page[] = [
  {
    path: '/team-invitation',
    title: 'Team invitation',
    load: () => import('../features/team/team-invitation.route.js'),
  },
  {
    path: '/shared-report',
    title: 'Report',
    load: () => import('../features/projects/shared-report.route.js'),
  },
];

export const screens: readonly Page[] = [
  ...accountScreens,
  ...linkedScreens,
  ...adminScreens,
  ...contentScreens,
];

export const notFound: Page = {
  path: '*',
  title: 'Page not found',
  load: () => import('./NotFound.js'),
};

/** The code of the guard is loaded with the screen’s code, not with the public pages. */
function guarded(screen: Page): Page {
  const load = async () => {
    const { Component } = await screen.load();
    // Usually no further request, because most screens have just loaded the chunk `workspace`.
    const { Guard } = await import('../workspace/Guard.js');
    return {
      Component: () => (
        <Guard screen={screen} screens={screens}>
          <Component />
        </Guard>
      ),
    };
  };
  return { ...screen, load: screen.thanks ? () => withThanks(load) : load };
}

/** People who see a thank-you message instead of the screen download nothing of the admin area. */
async function withThanks(load: Page['load']): Promise<{ Component: () => ReactNode }> {
  const { ThanksOrList } = await import('../features/account/ThanksOrList.js');
  const List = lazy(() => load().then(({ Component }) => ({ default: Component })));
  return {
    Component: () => (
      <ThanksOrList>
        <List />
      </ThanksOrList>
    ),
  };
}

/** About's edit screen is at `/:id`, which matches every path of one segment. Its route is left out unless the segment is a record's id. */
const isAboutEdit = (path: string) => isRecordId(path.split('/')[1]);
const aboutEditRoutes = pageRoutes(screens.filter(({ path }) => path === aboutEditShell).map(guarded));
const otherRoutes = pageRoutes([
  ...screens.filter(({ path }) => path !== aboutEditShell).map(guarded),
  notFound,
]);
const routesAt = (path: string) => (isAboutEdit(path) ? [...aboutEditRoutes, ...otherRoutes] : otherRoutes);

export const screenHandleAt = (path: string): PageHandle => pageHandleAt(routesAt(path), path);

export function Component() {
  const { pathname } = useLocation();
  useDocumentHead(screenHandleAt(pathname).page);
  return useRoutes(routesAt(pathname));
}
