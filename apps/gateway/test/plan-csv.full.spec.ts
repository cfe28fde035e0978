import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allSections } from '#libs/content-model';
import type { Order, PlanSubscription, SubscriptionFigures } from '#libs/contracts';
import { sampleBody, type Session } from '#libs/testing';
import { type SiteUnderTest, startSite } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
let customer: Session;
let plan: PlanSubscription;

beforeAll(async () => {
  site = await startSite({ without: ['messaging', 'projects'] });
  admin = await site.admin();
  customer = await site.customer();
  const pricing = allSections.find(({ name }) => name === 'pricingPackage')!;
  const basicPackage = { ...sampleBody(pricing, 'offered'), packageName: 'Basic', packagePrice: '290.00' };
  expect((await admin.post('/add-pricing', basicPackage)).status).toBe(201);
  await subscribe('=HYPERLINK("https://evil.example")');
  [plan] = (await admin.get<PlanSubscription[]>('/plan-subscriptions')).json as [PlanSubscription];
});
afterAll(() => site?.stop());

async function subscribe(customerName: string): Promise<void> {
  const { json: order } = await customer.post<Order>('/new-order', {
    ...{ packageName: 'Basic', packagePrice: '290.00', renews: true },
    ...{ customerName, customerEmail: customer.email },
    ...{ customerAddress: '1 Main Street', customerCountry: 'Portugal' },
  });
  await customer.post(`/order/${order._id}/payment`, undefined);
  const [subscription] = await site.paypal.subscriptions();
  await site.paypal.approveSubscription(subscription!.id);
  await customer.post(`/order/${order._id}/payment-return`, {});
}

/** The keys are the column headings. The values keep the doubled quotes of CSV. */
async function rowsOf(path: string): Promise<Record<string, string>[]> {
  const { text, headers, status } = await admin.get(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const [head, ...rows] = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'));
  return rows.map((row) => Object.fromEntries(row.map((value, index) => [head![index]!, value])));
}

test('a monthly plan is in the exported file if it matches the filter, and the file is safe in spreadsheets', async () => {
  const [row, ...more] = await rowsOf('/plan-subscriptions/export');
  expect(more).toEqual([]);
  expect(row).toEqual({
    Plan: plan._id,
    'First order': String(plan.firstOrderNumber),
    'Customer name': `'=HYPERLINK(""https://evil.example"")`,
    'Customer e-mail': customer.email,
    Package: 'Basic',
    'Price (USD)': '290.00',
    Status: 'active',
    Started: plan.startedAt,
    Charges: '1',
    'Next charge': plan.nextChargeAt,
    'Next charge (USD)': '290.00',
    'Paid until': plan.nextChargeAt,
    'Past due since': '',
    'Outstanding (USD)': '',
    Ends: '',
    Ended: '',
    'End reason': '',
    Problem: '',
  });
  expect(await rowsOf('/plan-subscriptions/export?state=past_due')).toEqual([]);
  expect(await rowsOf('/plan-subscriptions/export?state=active&package=Basic')).toHaveLength(1);
});

test('the export of the figures has a row for each month of /plan-subscriptions/figures, the current one last', async () => {
  const { months } = (await admin.get<SubscriptionFigures>('/plan-subscriptions/figures')).json;
  const rows = await rowsOf('/plan-subscriptions/figures/export');
  expect(rows.map(({ Month }) => Month)).toEqual(months.map(({ month }) => month));
  expect(rows.at(-1)).toEqual({
    Month: new Date().toISOString().slice(0, 7),
    'Monthly recurring revenue (USD)': '290.00',
    'New (USD)': '290.00',
    'Expansion (USD)': '0.00',
    'Contraction (USD)': '0.00',
    'Churned (USD)': '0.00',
    'Plans that began or came back': '1',
    'Plans that ended or were stopped': '0',
  });
});

test.each(['/plan-subscriptions/export', '/plan-subscriptions/figures/export'])(
  '%s is for admins only',
  async (path) => {
    expect((await customer.get(path)).status).toBe(403);
    expect((await site.visitor.get(path)).status).toBe(401);
  },
);
