import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  accountDeleted,
  type AdminNotification,
  DomainError,
  identityContract,
  type Order,
  orderContract,
  type PlanSubscription,
  planSubscriptionContract,
  type SubscriptionNews,
  subscriptionNews,
} from '#libs/contracts';
import { eventually } from '#libs/testing';
import { Handles } from '#libs/transport';
import { MailHarness } from './mail.harness.js';

const activePlan: PlanSubscription = {
  _id: randomUUID(),
  state: 'active',
  accountId: randomUUID(),
  customerName: 'Ann "Evil" <x@y.z>',
  customerEmail: 'ann@example.com',
  packageName: 'Basic',
  price: '290.00',
  addedTaxRate: '0',
  priceWithTax: '290.00',
  firstOrderId: randomUUID(),
  firstOrderNumber: 1042,
  startedAt: '2027-01-31T10:00:00.000Z',
  cycles: 3,
  nextChargeAt: '2027-04-30T10:00:00.000Z',
  nextChargeAmount: '290.00',
  paidUntil: '2027-04-30T10:00:00.000Z',
  pastDueSince: null,
  graceEndsAt: null,
  retryAt: null,
  outstanding: null,
  endsOn: null,
  endedAt: null,
  endReason: null,
  change: null,
  paymentMethodUrl: 'https://www.paypal.com/myaccount/autopay/connect/I-1',
  actions: [],
  problem: null,
  createdAt: '2027-01-31T10:00:00.000Z',
  updatedAt: '2027-03-31T10:00:00.000Z',
  version: 7,
};
const unpaid = { outstanding: '290.00', pastDueSince: '2027-04-30T10:00:00.000Z', nextChargeAt: null };
const pastDue: Partial<PlanSubscription> = {
  ...unpaid,
  state: 'past_due',
  graceEndsAt: '2027-05-10T10:00:00.000Z',
  retryAt: '2027-05-05T10:00:00.000Z',
};
const ending: Partial<PlanSubscription> = {
  state: 'ending',
  endsOn: '2027-04-30T10:00:00.000Z',
  endReason: 'customer',
  nextChargeAt: null,
  actions: ['resume'],
};
const ended: Partial<PlanSubscription> = {
  ...{ state: 'ended', endedAt: '2027-04-30T10:00:00.000Z', endReason: 'customer', nextChargeAt: null },
};
const announcedChange: NonNullable<PlanSubscription['change']> = {
  packageName: 'Basic',
  price: '320.00',
  priceWithTax: '320.00',
  requestedBy: 'admin',
  state: 'announced',
  approvableFrom: '2027-05-01T10:00:00.000Z',
  appliesFrom: '2027-05-30T10:00:00.000Z',
};
const approvedChange = {
  ...announcedChange,
  packageName: 'Premium',
  price: '990.00',
  priceWithTax: '990.00',
  state: 'approved' as const,
};

let plan = activePlan;
let cycle = 2;
const chargeOrder: Order & { accountId: string } = {
  _id: randomUUID(),
  number: 1077,
  accountId: activePlan.accountId,
  orderDate: '03/31/2027',
  customerName: activePlan.customerName,
  customerEmail: activePlan.customerEmail,
  customerAddress: '1 Main Street',
  customerCountry: 'Norway',
  packageName: 'Basic',
  packagePrice: '290.00',
  ...{ addedTax: '0.00', addedTaxRate: '0', billingDetails: null },
  paymentStatus: 'Paid',
  orderStatus: 'Pending',
  paymentState: 'paid',
  payments: [
    { txnId: 'A', state: 'received', amount: '290.00', refunded: '0.00', paidAt: '2027-03-31T10:00:00.000Z' },
  ],
  refunded: '0.00',
  disputed: '0.00',
  paidTwice: false,
  cancelledBy: null,
  seller: null,
  renewal: null,
  paymentHold: null,
  payable: false,
  flags: [],
  createdAt: '2027-03-31T10:05:00.000Z',
  updatedAt: '2027-03-31T10:05:00.000Z',
  version: 1,
};
const admins = ['admin@northrank.example', 'second@northrank.example'];
const mutedAdmin = admins[1]!;
const screenUrl = `https://northrank.example/monthly-plan/${activePlan._id}`;

/** Stands in, with `Identity` below, for the services that messaging calls in these tests. */
@Controller()
class Orders {
  @Handles(planSubscriptionContract.getSubscriptionForService)
  plan({ id }: { id: string }): PlanSubscription {
    if (id !== plan._id) throw new DomainError('NOT_FOUND');
    return plan;
  }
  @Handles(orderContract.getForService)
  order() {
    return { ...chargeOrder, renewal: { cycle, subscriptionId: activePlan._id }, invoices: 'none' as const };
  }
}
@Controller()
class Identity {
  @Handles(identityContract.confirmedEmail)
  confirmedEmail({ accountId }: { accountId: string }) {
    return { email: accountId === activePlan.accountId ? activePlan.customerEmail : null };
  }
  @Handles(identityContract.adminEmails)
  adminEmails({ notification }: { notification?: AdminNotification }) {
    return admins.filter((email) => notification !== 'payments' || email !== mutedAdmin);
  }
}

let harness: MailHarness;

beforeAll(async () => {
  harness = await MailHarness.open();
  await harness.startNeighbour('orders', Orders);
  await harness.startNeighbour('identity', Identity);
  await harness.start();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  plan = activePlan;
  await harness.mail.clear();
  await harness.sql.query('DELETE FROM mails');
});

const publish = (news: SubscriptionNews, id: string = randomUUID()) => {
  const { _id: subscriptionId, accountId, version } = plan;
  const payload = { subscriptionId, accountId, version, news };
  return harness.publish({ event: 'subscriptions.changed', payload }, id);
};
const toCustomer = () => eventually(() => harness.mail.newest({ to: activePlan.customerEmail }));
const storedMails = async () =>
  (await harness.sql.query('SELECT template, to_address AS to FROM mails ORDER BY created_at, id')).rows;

const { paymentMethodUrl } = activePlan;
/** The news, the case, what the plan is like, the subject of the mail, and sentences that the customer relies on. */
const cases: [SubscriptionNews, string, Partial<PlanSubscription>, string, string[]][] = [
  [
    'charge_failed',
    'PayPal tries again',
    pastDue,
    'Payment failed: your monthly plan Basic',
    [
      'PayPal couldn’t charge $290.00',
      'Change your payment method at PayPal',
      'PayPal tries again on May 5, 2027. To pay sooner, open your monthly plan and choose “Try payment again”.',
      'Your service continues until May 10, 2027.',
      paymentMethodUrl,
    ],
  ],
  [
    'charge_failed',
    'PayPal doesn’t try again',
    { ...pastDue, retryAt: null },
    'Payment failed: your monthly plan Basic',
    ['Then open your monthly plan and choose “Try payment again”.', 'until May 10, 2027.', paymentMethodUrl],
  ],
  [
    'charge_failed_reminder',
    'past due',
    pastDue,
    'Reminder: payment for your monthly plan Basic is due',
    [
      'We still haven’t received $290.00',
      'PayPal tries again on May 5, 2027.',
      'Your service continues until May 10, 2027.',
      paymentMethodUrl,
    ],
  ],
  [
    'suspended',
    'unpaid',
    { ...unpaid, state: 'suspended' },
    'Your monthly plan Basic is suspended',
    ['We haven’t received $290.00', 'we’ve stopped work', 'You won’t be charged for now.', paymentMethodUrl],
  ],
  [
    'recovered',
    'active',
    {},
    'Payment received: your monthly plan Basic continues',
    ['We’ve received the payment that had failed', 'The next charge is $290.00 on April 30, 2027.'],
  ],
  [
    'cancelled',
    'by the customer',
    ending,
    'Your monthly plan Basic is cancelled',
    [
      'You cancelled your monthly plan Basic.',
      'You won’t be charged again.',
      'You’ve paid until April 30, 2027, and your service continues until then.',
      'Until then you can open your monthly plan and choose “Keep my plan”.',
    ],
  ],
  [
    'cancelled',
    'by an admin',
    { ...ending, endReason: 'admin' },
    'Your monthly plan Basic is cancelled',
    ['We cancelled your monthly plan Basic.', 'paid until April 30, 2027'],
  ],
  [
    'cancelled',
    'at PayPal',
    { ...ending, endReason: 'provider' },
    'Your monthly plan Basic is cancelled',
    ['Your monthly plan Basic was cancelled at PayPal.', 'paid until April 30, 2027'],
  ],
  [
    'resumed',
    'active',
    {},
    'Your monthly plan Basic continues',
    ['renews every month again', 'The next charge is $290.00 on April 30, 2027.'],
  ],
  [
    'paused',
    'paused',
    { state: 'paused', nextChargeAt: null },
    'Your monthly plan Basic is paused',
    ['Nothing is charged until it’s resumed'],
  ],
  [
    'ended',
    'cancelled before',
    ended,
    'Your monthly plan Basic has ended',
    ['Your monthly plan Basic has ended.', 'You can order a plan again', 'northrank.example/pricing'],
  ],
  [
    'ended',
    'unpaid',
    { ...ended, endReason: 'unpaid' },
    'Your monthly plan Basic has ended',
    ['has ended because we didn’t receive the payment.'],
  ],
  [
    'ended',
    'at PayPal',
    { ...ended, endReason: 'provider' },
    'Your monthly plan Basic has ended',
    ['has ended: it was cancelled at PayPal.'],
  ],
  [
    'price_change_announced',
    'not approvable yet',
    { change: announcedChange },
    'New price for your monthly plan Basic: $320.00 a month',
    [
      'from $290.00 to $320.00 a month',
      'The first charge at the new price would be on May 30, 2027.',
      'applies only if you approve it at PayPal. You can do so from May 1, 2027',
      'If you do nothing, your plan continues at $290.00 a month.',
    ],
  ],
  [
    'price_change_announced',
    'with added tax',
    { addedTaxRate: '19', priceWithTax: '345.10', change: { ...announcedChange, priceWithTax: '380.80' } },
    'New price for your monthly plan Basic: $380.80 a month',
    ['from $345.10 to $380.80 a month', 'If you do nothing, your plan continues at $345.10 a month.'],
  ],
  [
    'price_change_approvable',
    'approvable',
    { change: announcedChange },
    'Approve the new price for your monthly plan Basic',
    [
      'We’d like to change the price of your monthly plan Basic from $290.00 to $320.00 a month',
      'The first charge at the new price would be on May 30, 2027.',
      'applies only if you approve it at PayPal. You can do so now',
      'If you do nothing, your plan continues at $290.00 a month.',
    ],
  ],
  [
    'change_approved',
    'another package',
    { change: approvedChange },
    'Your monthly plan changes on May 30, 2027',
    ['from the charge on May 30, 2027, your monthly plan is Premium for $990.00 a month'],
  ],
];

test('there is a case for every kind of news', () => {
  expect([...new Set(cases.map(([news]) => news))].sort()).toEqual([...subscriptionNews.options].sort());
});

test.each(cases)(
  'the mail about %s (%s) explains what it means for the customer',
  async (news, _what, planFields, subject, words) => {
    plan = { ...activePlan, ...planFields };
    await publish(news);
    const { text, html, ...mail } = await toCustomer();
    expect(mail.subject).toBe(subject);
    const unwrapped = text.replace(/\s+/g, ' ');
    for (const sentence of words) expect(unwrapped).toContain(sentence);
    expect(text).toContain(screenUrl);
    expect(text).toContain('First order: #1042');
    expect(`${subject} ${text}`).not.toMatch(/subscri|null|undefined|\{|\$ ?[^\d]/i);
    expect(html).not.toContain('<x@y.z>');
  },
);

test('a customer who cannot undo a cancellation is not invited to keep the plan', async () => {
  plan = { ...activePlan, ...ending, endReason: 'provider', actions: [] };
  await publish('cancelled');
  expect((await toCustomer()).text).not.toMatch(/Keep my plan|You cancelled/);
});

test('the mail about a plan without a link to change the payment method has no button for it', async () => {
  plan = { ...activePlan, ...pastDue, paymentMethodUrl: '' };
  await publish('charge_failed');
  const { text } = await toCustomer();
  expect(text).not.toContain('Change payment method at');
  expect(text).toContain(screenUrl);
});

test.each([
  ['cancelled', ending, 'Monthly plan cancelled: Basic', 'paid until April 30, 2027. Stop work then.'],
  [
    'suspended',
    { ...unpaid, state: 'suspended' },
    'Monthly plan suspended: Basic',
    '$290.00 wasn’t paid in time. Stop work',
  ],
  ['ended', ended, 'Monthly plan ended: Basic', 'The customer won’t be charged again. You can stop work.'],
] as [SubscriptionNews, Partial<PlanSubscription>, string, string][])(
  '%s is mailed to the customer and to each admin who wants it, once, however often the event arrives',
  async (news, planFields, subject, words) => {
    plan = { ...activePlan, ...planFields };
    const id = randomUUID();
    for (let delivery = 1; delivery <= 3; delivery++) await publish(news, id);
    const { text } = await eventually(() => harness.mail.newest({ to: admins[0], subject }));
    expect(text.replace(/\s+/g, ' ')).toContain(words);
    expect(text).toContain(`https://northrank.example/admin/monthly-plan/${activePlan._id}`);
    await harness.untilHandled('subscriptions');
    expect((await storedMails()).map(({ to }) => to).sort()).toEqual([admins[0], activePlan.customerEmail]);
  },
);

test.each([
  ['charge_failed', {}],
  ['charge_failed_reminder', { ...unpaid, state: 'suspended' }],
  ['suspended', {}],
  ['recovered', pastDue],
  ['cancelled', {}],
  ['resumed', ending],
  ['paused', {}],
  ['ended', {}],
  ['price_change_announced', {}],
  ['price_change_approvable', { change: approvedChange }],
  ['change_approved', {}],
] as [SubscriptionNews, Partial<PlanSubscription>][])(
  '%s is not mailed if it no longer holds when the event arrives',
  async (news, planFields) => {
    plan = { ...activePlan, ...planFields };
    await publish(news);
    await harness.untilHandled('subscriptions');
    expect(await storedMails()).toEqual([]);
  },
);

test('nothing is mailed about a plan that does not exist, or to an account that is gone or has no confirmed address', async () => {
  const { _id: subscriptionId } = activePlan;
  const payload = { accountId: activePlan.accountId, version: 1, news: 'ended' };
  await harness.publish({
    event: 'subscriptions.changed',
    payload: { ...payload, subscriptionId: randomUUID() },
  });
  plan = { ...activePlan, ...pastDue, accountId: randomUUID() };
  await harness.publish({
    event: 'subscriptions.changed',
    payload: { ...payload, subscriptionId, news: 'charge_failed' },
  });
  await harness.untilHandled('subscriptions');
  expect(await storedMails()).toEqual([]);
});

test('admins get a mail about the plan of an account that was deleted', async () => {
  plan = {
    ...{ ...activePlan, ...ended, endReason: 'account_deleted', accountId: randomUUID() },
    ...{ customerName: '', customerEmail: '' },
  };
  await publish('ended');
  const { text } = await eventually(() =>
    harness.mail.newest({ to: admins[0], subject: 'a deleted account' }),
  );
  expect(text).toContain('Customer: Deleted account');
  expect(await storedMails()).toHaveLength(1);
});

test('mails about a plan are deleted with its account, although the plan has an earlier address', async () => {
  plan = { ...activePlan, ...pastDue, customerEmail: 'earlier@example.com' };
  await publish('charge_failed');
  await toCustomer();
  await eventually(async () => expect(await storedMails()).toHaveLength(1));
  // It was sent before the customer changed their address.
  await harness.sql.query('UPDATE mails SET to_address = $1', [plan.customerEmail]);
  const payload = { accountId: activePlan.accountId, email: activePlan.customerEmail };
  await harness.publish({ event: accountDeleted.event, payload });
  await eventually(async () => expect(await storedMails()).toEqual([]));
});

const orderPayload = () => ({ orderId: chargeOrder._id, accountId: activePlan.accountId, version: 1 });

test('a later charge is mailed as a renewal, with its date', async () => {
  cycle = 2;
  await harness.publish({ event: 'orders.paid', payload: orderPayload() });
  const { text, subject } = await toCustomer();
  expect(subject).toBe('Monthly plan renewed: order #1077, Basic');
  expect(text.replace(/\s+/g, ' ')).toContain(
    'Your monthly plan Basic was renewed: PayPal charged $290.00 on March 31, 2027.',
  );
  expect(text).toContain(screenUrl);
  const toAdmin = await eventually(() => harness.mail.newest({ to: admins[0] }));
  expect(toAdmin.subject).toMatch(/^Monthly plan renewed: order #1077, Basic for /);
});

test('the first charge is mailed as the payment of the order, with links to the projects and to the plan’s screen', async () => {
  cycle = 1;
  await harness.publish({ event: 'orders.paid', payload: orderPayload() });
  const { text, subject } = await toCustomer();
  expect(subject).toBe('Payment received: order #1077, Basic');
  expect(text).toContain('Your project shows what comes next');
  expect(text).toContain('https://northrank.example/projects');
  expect(text).toContain(screenUrl);
});

test('only the first order of a plan, which the customer placed, is mailed as received', async () => {
  cycle = 2;
  await harness.publish({ event: 'orders.placed', payload: orderPayload() });
  await harness.untilHandled('orders');
  expect(await storedMails()).toEqual([]);
  cycle = 1;
  await harness.publish({ event: 'orders.placed', payload: orderPayload() });
  expect((await toCustomer()).subject).toMatch(/^Order #1077 received/);
});

test('a kind of plan mail that an admin has switched off is not sent', async () => {
  await harness.addContent('mailText', { mail: 'Monthly plan paused', send: 'No' });
  await eventually(async () => {
    const { rows } = await harness.sql.query(`SELECT 1 FROM site_copies WHERE section = 'mailText'`);
    expect(rows).toHaveLength(1);
  });
  plan = { ...activePlan, state: 'paused', nextChargeAt: null };
  await publish('paused');
  await harness.untilHandled('subscriptions');
  plan = activePlan;
  await publish('resumed');
  await toCustomer();
  expect((await storedMails()).map(({ template }) => template)).toEqual(['planResumed']);
});
