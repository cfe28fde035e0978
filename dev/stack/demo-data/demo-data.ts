import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Campaign, CheckoutForm, Message, Order } from '#libs/contracts';
import { demoCampaignSubject } from '#libs/contracts';
import { MailCatcher } from '../../stand-ins/mail/client.js';
import { PayPalSimulator, type PayOptions } from '../../stand-ins/paypal/client.js';
import type { DatabaseUrls } from '../databases.js';
import {
  demoCampaignBody,
  demoImportName,
  demoMessages,
  type DemoOrder,
  demoOrders,
  demoPeople,
  type DemoPerson,
  type DemoPlan,
  demoPlans,
  demoSubscribers,
  bouncingSubscriber,
  leavingSubscribers,
} from './demo-history.js';
import { backdate, type Dated, demoPeriodDays, forgetDevices } from './demo-databases.js';
import { DemoPlans } from './demo-plans.js';
import { markReadAndDateProjects, updateProjectTemplates, playStory, getProject } from './demo-projects.js';
import { storyOf } from './demo-stories.js';
import { SiteClient } from './site-client.js';

interface DemoSite {
  url: string;
  admin: { email: string; password: string };
  paypalUrl: string;
  mailUrl: string;
  databases: DatabaseUrls;
}

const timeoutMs = 60_000;
const hourMs = 3_600_000;

/**
 * Fills a new site as people would: through the API, the PayPal simulator and the mail catcher. Then backdates the data in the databases. Rejects
 * when `signal` is aborted.
 */
export async function createDemoData(site: DemoSite, signal: AbortSignal): Promise<void> {
  const visitor = SiteClient.visitor(site.url, signal);
  const admin = await visitor.authenticate('/auth/login', site.admin);
  // Otherwise the device of this sign-in would be known, and the admin's own first sign-in would be reported as one from a new device.
  await forgetDevices(site.databases, site.admin.email);
  const context: DemoContext = {
    visitor,
    admin,
    paypal: PayPalSimulator.at(site.paypalUrl),
    mail: MailCatcher.at(site.mailUrl),
    signal,
    prices: new Map(
      (await visitor.call<{ packageName: string; packagePrice: string }[]>('GET', '/pricings')).map(
        ({ packageName, packagePrice }) => [packageName, packagePrice],
      ),
    ),
  };
  await updateProjectTemplates(admin);
  const [{ orders, planIds }, messages] = await Promise.all([
    makeOrders(context),
    makeMessages(context),
    makeCampaign(context),
  ]);
  const projects = await markReadAndDateProjects(admin, orders);
  await admin.call('POST', '/auth/logout');
  await backdate(site.databases, { orders, planIds, messages, projects });
}

interface DemoContext {
  visitor: SiteClient;
  admin: SiteClient;
  paypal: PayPalSimulator;
  mail: MailCatcher;
  signal: AbortSignal;
  /** By the package's name. */
  prices: ReadonlyMap<string, string>;
}

/** `who` is the index in `demoPeople`. */
interface DemoEvent {
  hoursAgo: number;
  happen(customer: SiteClient, person: DemoPerson): Promise<void>;
  who: number;
}

/**
 * Makes orders and monthly plans one after another, so that the site stays quick. The oldest comes first, so that later orders have higher numbers.
 * The simulator's clock is set to the time of each, so that payments and charges have the right dates.
 */
async function makeOrders(context: DemoContext): Promise<{ orders: Dated[]; planIds: string[] }> {
  const start = Date.now();
  const plans = await DemoPlans.startAt(context.paypal, new Date(start - demoPeriodDays * 24 * hourMs));
  const datedOrders: Dated[] = [];
  const events: DemoEvent[] = [
    ...demoOrders.map((order, index) => {
      // Orders are placed at different times of day.
      const hoursAgo = order.daysAgo * 24 + ((index * 5) % 11);
      return {
        ...{ hoursAgo, who: order.who },
        happen: async (customer: SiteClient, person: DemoPerson) => {
          const id = await makeOrder(context, customer, person, order);
          datedOrders.push({ id, hoursAgo });
          if (outcomesWithWork.has(order.outcome)) await workOn(context, customer, order, id);
        },
      };
    }),
    ...demoPlans.flatMap((plan) => planEvents(context, plans, plan)),
  ];
  const customers = new Map<DemoPerson, SiteClient>();
  try {
    for (const { hoursAgo, who, happen } of events.toSorted((a, b) => b.hoursAgo - a.hoursAgo)) {
      await plans.travel(new Date(start - hoursAgo * hourMs));
      const person = demoPeople[who]!;
      const customer = customers.get(person) ?? (await register(context, person));
      customers.set(person, customer);
      await happen(customer, person);
    }
  } finally {
    await plans.finish();
  }
  const { orders, plans: subscriptions } = await plans.ordersAndPlans();
  const chargeOrders = orders.map(datedChargeOrder);
  // The work for a charge is delivered by the end of its month.
  for (const { id } of chargeOrders.filter(({ hoursAgo }) => hoursAgo > 31 * 24)) await deliver(context, id);
  return { orders: [...datedOrders, ...chargeOrders], planIds: subscriptions.map(({ _id }) => _id) };
}

const outcomesWithWork: ReadonlySet<DemoOrder['outcome']> = new Set(['paid', 'byHand', 'partlyRefunded']);

/** Performs the order's story or, if it has none, delivers and accepts the work. */
async function workOn(
  context: DemoContext,
  customer: SiteClient,
  order: DemoOrder,
  orderId: string,
): Promise<void> {
  const people = { customer, admin: context.admin };
  const project = await eventually(context, () => getProject(customer, orderId));
  const story = storyOf(order);
  if (story) return playStory(project, story, people);
  await deliver(context, orderId);
  await eventually(context, async () => {
    const { state } = await getProject(customer, orderId);
    if (state !== 'delivered') throw new Error(`The project of the order ${orderId} is ${state}`);
  });
  await playStory(project, { steps: [{ accept: true }] }, people);
}

/** A charge’s order should appear to have been created when PayPal received the payment. */
const datedChargeOrder = ({ _id: id, createdAt, payments: [payment] }: Order): Dated => ({
  id,
  hoursAgo: (Date.parse(createdAt) - Date.parse(payment!.paidAt)) / hourMs,
});

function planEvents(context: DemoContext, plans: DemoPlans, demo: DemoPlan): DemoEvent[] {
  const { who, packageName, change, began } = demo;
  const begin: DemoEvent = {
    ...{ hoursAgo: hoursSince(began), who },
    happen: async (customer, person) =>
      plans.approve(
        demo,
        customer,
        await placeOrder(context, customer, person, packageName, { renews: true }),
      ),
  };
  return change
    ? [begin, { hoursAgo: change.daysAgo * 24, who, happen: () => plans.applyChange(demo) }]
    : [begin];
}

/** Counts calendar months, because plans are charged on the same day of each month. */
function hoursSince({ months, days }: DemoPlan['began']): number {
  const now = new Date();
  const began = new Date(now.getTime() - days * 24 * hourMs);
  const day = began.getUTCDate();
  began.setUTCMonth(began.getUTCMonth() - months);
  // If the month has no such day, `setUTCMonth` has gone on into the next one.
  if (began.getUTCDate() !== day) began.setUTCDate(0);
  return (now.getTime() - began.getTime()) / hourMs;
}

async function register(context: DemoContext, { email }: DemoPerson): Promise<SiteClient> {
  const password = randomBytes(24).toString('base64url');
  const customer = await context.visitor.authenticate('/auth/register', { email, password });
  const confirmation = { to: email, subject: 'Confirm your e-mail address' };
  const { text } = await eventually(context, () => context.mail.newest(confirmation));
  const token = /#token=([\w.-]+)/.exec(text)?.[1];
  await customer.call('POST', '/auth/verify-email', { token });
  return customer;
}

async function makeOrder(
  context: DemoContext,
  customer: SiteClient,
  person: DemoPerson,
  { packageName, outcome }: DemoOrder,
): Promise<string> {
  const id = await placeOrder(context, customer, person, packageName);
  const waitUntil = (expected: Partial<Order>) =>
    eventually(context, async () => {
      const order = await customer.call<Order>('GET', `/order/${id}`);
      for (const [field, value] of Object.entries(expected))
        if (order[field as keyof Order] !== value)
          throw new Error(`Order ${id}: ${field} is not ${value} yet`);
    });
  const pay = (options: PayOptions = {}) => payFor(context, customer, id, options);
  const payInFull = async () => {
    const transactionId = await pay({ with: 'card' });
    await waitUntil({ paymentState: 'paid' });
    return transactionId;
  };
  switch (outcome) {
    case 'unpaid':
      break;
    case 'paid':
      await payInFull();
      break;
    case 'cancelled':
      await customer.call('PUT', `/order-cancelled/${id}`, { paymentStatus: 'Cancelled' });
      break;
    case 'refunded':
      await context.paypal.refund(await payInFull());
      await waitUntil({ paymentState: 'refunded' });
      break;
    case 'partlyRefunded':
      await context.paypal.refund(await payInFull(), '100.00');
      await waitUntil({ paymentState: 'partially_refunded' });
      break;
    case 'disputed':
      await context.paypal.dispute(await payInFull(), 'opened');
      await waitUntil({ paymentState: 'disputed' });
      break;
    case 'echeck':
      await pay({ with: 'echeck' });
      await waitUntil({ paymentState: 'pending' });
      break;
    case 'echeckFailed':
      await context.paypal.failEcheck(await pay({ with: 'echeck' }));
      await waitUntil({ paymentState: 'failed' });
      break;
    case 'byHand':
      await context.admin.call('PUT', `/order/${id}`, {
        paymentStatus: 'Paid',
        reason: 'Paid by bank transfer; the money arrived this morning.',
      });
      await context.admin.call('POST', `/order/${id}/note`, { text: 'Prefers to pay by bank transfer.' });
      break;
  }
  return id;
}

async function placeOrder(
  { prices }: DemoContext,
  customer: SiteClient,
  { name, email, address, country }: DemoPerson,
  packageName: string,
  more: object = {},
): Promise<string> {
  const { _id: id } = await customer.call<Order>('POST', '/new-order', {
    packageName,
    packagePrice: prices.get(packageName),
    customerEmail: email,
    customerName: name,
    customerAddress: address,
    customerCountry: country,
    ...more,
  });
  return id;
}

const deliver = ({ admin }: DemoContext, id: string) =>
  admin.call('PUT', `/order-status/${id}`, { orderStatus: 'Delivered' });

/** Returns the id of the transaction. */
async function payFor(
  context: DemoContext,
  customer: SiteClient,
  id: string,
  options: PayOptions,
): Promise<string> {
  const { action, fields } = await customer.call<CheckoutForm>('POST', `/order/${id}/payment`);
  // PayPal Checkout has no form.
  if (fields.length === 0) {
    await context.paypal.approveOrder(new URL(action).searchParams.get('token')!, options);
    await customer.call('POST', `/order/${id}/payment-return`, {});
    const { payments } = await customer.call<Order>('GET', `/order/${id}`);
    return payments[0]!.txnId;
  }
  const form = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const { payment } = await context.paypal.pay(form, options);
  return payment.transactionId;
}

async function makeMessages(context: DemoContext): Promise<Dated[]> {
  const messages: Dated[] = [];
  for (const { who, daysAgo, subject, message, reply } of demoMessages) {
    const { name, email } = demoPeople[who]!;
    const body = { fullName: name, emailAddress: email, subject, message };
    const { _id: id } = await context.visitor.call<Message>('POST', '/add-message', body);
    if (reply !== undefined) await context.admin.call('POST', `/message/${id}/reply`, { text: reply });
    messages.push({ id, hoursAgo: daysAgo * 24 + 3 });
  }
  return messages;
}

/** One subscriber has no mailbox any more, and two unsubscribe. */
async function makeCampaign({ admin, mail, ...context }: DemoContext): Promise<void> {
  const params = new URLSearchParams({ consent: demoImportName, name: demoImportName });
  await admin.call('POST', `/subscribers/import?${params}`, demoSubscribers.join('\n'));
  await eventually(context, async () => {
    const path = `/subscribers?status=subscribed&limit=100&search=${encodeURIComponent('demo.example')}`;
    const { length } = await admin.call<unknown[]>('GET', path);
    if (length < demoSubscribers.length) throw new Error('The subscribers are still being imported');
  });
  await mail.misbehave({
    to: bouncingSubscriber,
    times: 1,
    refuse: { code: 550, text: '5.1.1 No such mailbox', at: 'rcpt' },
  });
  const body = { subject: demoCampaignSubject, preheader: 'And how to find yours.', body: demoCampaignBody };
  const { _id: id } = await admin.call<Campaign>('POST', '/campaigns', body);
  await admin.call('POST', `/campaign/${id}/send`, {});
  await eventually(context, async () => {
    const { state } = await admin.call<Campaign>('GET', `/campaign/${id}`);
    if (state !== 'sent') throw new Error(`The campaign is ${state}`);
  });
  for (const to of leavingSubscribers) {
    const { headers } = await mail.newest({ to, subject: demoCampaignSubject });
    const link = headers.find(({ name }) => name === 'list-unsubscribe')!.value.replace(/^<|>$/g, '');
    const { ok, status } = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
      signal: context.signal,
    });
    if (!ok) throw new Error(`Unsubscribing ${to} was answered with ${status}`);
  }
}

/** Rejects with the last error after `timeoutMs`. */
async function eventually<T>({ signal }: Pick<DemoContext, 'signal'>, attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || performance.now() > end) throw error;
      await pause(250, undefined, { signal });
    }
  }
}
