import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CheckoutForm, Order, PriceChangePreview, SubscriptionFigures } from '#libs/contracts';
import { allSections } from '#libs/content-model';
import { sampleBody, type Session, fullTest } from '#libs/testing';
import { dayMs, type Plan, Plans } from './plans.harness.js';
import type { Shop } from './shop.harness.js';

// PayPal's clock is shared by all tests of this file.

let shop: Shop;
let plans: Plans;
let admin: Session;

beforeAll(async () => {
  plans = await Plans.open({
    without: ['messaging', 'projects'],
    ordersSettings: { PAYPAL_TIMEOUT_MS: '8000' },
  });
  shop = plans.shop;
  await shop.paypal.startClockAt(new Date('2027-01-10T12:00:00Z'));
  admin = await shop.site.admin();
});
afterAll(() => shop?.close());
afterEach(() => shop.paypal.behave());

async function offer(packageName: string, packagePrice: string): Promise<void> {
  const { json } = await shop.site.visitor.get<{ _id: string; packageName: string }[]>('/pricings');
  const known = json.find((one) => one.packageName === packageName);
  const pricing = allSections.find(({ name }) => name === 'pricingPackage')!;
  const body = { ...sampleBody(pricing, 'offered'), ...known, packageName, packagePrice };
  const { status } = known
    ? await admin.put(`/pricing/${known._id}`, body)
    : await admin.post('/add-pricing', body);
  expect(status).toBe(known ? 200 : 201);
}

async function subscribe(packageName: string, packagePrice: string): Promise<Plan> {
  const customer = await shop.site.customer();
  const { status, json } = await customer.post<Order>('/new-order', {
    ...{ packageName, packagePrice, renews: true, customerEmail: customer.email! },
    ...{ customerName: 'Ada', customerAddress: 'Street 1', customerCountry: 'Denmark' },
  });
  expect(status).toBe(201);
  const order = { id: json._id, customer };
  const reference = await plans.begin(order);
  await shop.paypal.approveSubscription(reference);
  await shop.returnFromPayment(order);
  const plan = { id: await plans.idOf(reference), reference, order, customer };
  await plans.waitForState(plan, 'active');
  return plan;
}

const startChange = ({ id, customer }: Plan, packageName: string, packagePrice: string) =>
  customer.post<CheckoutForm>(`/plan-subscription/${id}/change`, { packageName, packagePrice });

async function makeChange(plan: Plan, packageName: string, packagePrice: string): Promise<void> {
  expect((await startChange(plan, packageName, packagePrice)).status).toBe(200);
  await shop.paypal.approveRevision(plan.reference);
  expect((await plans.act(plan, 'refresh')).change).toMatchObject({
    ...{ packageName, price: packagePrice, state: 'approved' },
  });
}

const preview = async (packageName: string) =>
  (await admin.get<PriceChangePreview>(`/plan-subscriptions/price-change?packageName=${packageName}`)).json;
async function announce(packageName: string, packagePrice: string): Promise<number> {
  const answer = await admin.post<{ announced: number }>('/plan-subscriptions/price-change', {
    ...{ packageName, packagePrice },
  });
  expect(answer.status).toBe(200);
  return answer.json.announced;
}

const amounts = async (plan: Plan) =>
  (await plans.chargeOrders(plan)).map(({ priceCents }) => priceCents / 100);
const figures = async () => (await admin.get<SubscriptionFigures>('/plan-subscriptions/figures')).json;
const endNow = (plan: Plan) => plans.act(plan, 'cancel', { when: 'now' }, admin);

test('a price change is announced at least 30 days before it applies; those who approve it pay it, and all others keep their price', async () => {
  await offer('Basic', '100.00');
  await offer('Premium', '290.00');
  const [approving, silent] = [await subscribe('Premium', '290.00'), await subscribe('Premium', '290.00')];
  await offer('Premium', '310.00');
  const at310 = await subscribe('Premium', '310.00');
  const fromBasic = await subscribe('Basic', '100.00');
  await makeChange(fromBasic, 'Premium', '310.00');
  await plans.advance(new Date('2027-02-11T12:00:00Z'));
  expect(await amounts(fromBasic)).toEqual([100, 310]);
  const all = [approving, silent, at310, fromBasic];

  await offer('Premium', '350.00');
  const from = '2027-04-10T10:00:00.000Z';
  const times = { firstFrom: from, lastFrom: from };
  expect(await preview('Premium')).toEqual({
    ...{ packageName: 'Premium', price: '350.00', customers: 4 },
    groups: [
      { price: '290.00', customers: 2, ...times },
      { price: '310.00', customers: 2, ...times },
    ],
  });
  expect([await announce('Premium', '350.00'), await announce('Premium', '350.00')]).toEqual([4, 0]);
  for (const plan of all)
    expect((await plans.read(plan)).change).toMatchObject({ state: 'announced', appliesFrom: from });
  // The next charge is less than 30 days away, so it cannot have the new price yet.
  expect((await startChange(approving, 'Premium', '350.00')).status).toBe(409);
  await plans.advance(new Date('2027-03-11T12:00:00Z'));
  expect(await plans.news(approving)).toEqual(['price_change_announced', 'price_change_approvable']);
  for (const plan of [approving, at310, fromBasic]) await makeChange(plan, 'Premium', '350.00');
  await plans.advance(new Date('2027-04-11T12:00:00Z'));
  await plans.advance(new Date('2027-05-11T12:00:00Z'));

  expect(await amounts(approving)).toEqual([290, 290, 290, 350, 350]);
  expect(await amounts(silent)).toEqual([290, 290, 290, 290, 290]);
  expect(await amounts(at310)).toEqual([310, 310, 310, 350, 350]);
  expect(await amounts(fromBasic)).toEqual([100, 310, 310, 350, 350]);
  for (const plan of all) await plans.expectBooksAgree(plan);
  expect(await plans.news(silent)).toEqual(['price_change_announced', 'price_change_approvable']);
  const { recurring, months } = await figures();
  expect(recurring).toBe('1340.00');
  expect(months.slice(-5)).toMatchObject([
    { month: '2027-01', new: '990.00', expansion: '0.00', recurring: '990.00' },
    { month: '2027-02', new: '0.00', expansion: '210.00', recurring: '1200.00' },
    { month: '2027-03', new: '0.00', expansion: '0.00', recurring: '1200.00' },
    { month: '2027-04', new: '0.00', expansion: '140.00', recurring: '1340.00' },
    { month: '2027-05', new: '0.00', expansion: '0.00', recurring: '1340.00' },
  ]);

  // Customers who did not answer the last announcement get the next one, too.
  await offer('Premium', '250.00');
  expect((await preview('Premium')).groups).toMatchObject([
    { price: '290.00', customers: 1 },
    { price: '350.00', customers: 3 },
  ]);
  expect(await announce('Premium', '250.00')).toBe(4);
  await plans.advance(new Date('2027-06-11T12:00:00Z'));
  await makeChange(silent, 'Premium', '250.00');
  await plans.advance(new Date('2027-07-11T12:00:00Z'));
  expect((await amounts(silent)).slice(-2)).toEqual([290, 250]);
  expect((await figures()).months.at(-1)).toMatchObject({ contraction: '40.00', recurring: '1300.00' });
  for (const plan of all) await endNow(plan);
  expect(await figures()).toMatchObject({ recurring: '0.00', inService: 0 });
});

fullTest('each new price that can be approved immediately is announced by a single event', async () => {
  await offer('Premium', '250.00');
  const plan = await subscribe('Premium', '250.00');
  for (const packagePrice of ['260.00', '270.00']) {
    await offer('Premium', packagePrice);
    expect(await announce('Premium', packagePrice)).toBe(1);
  }
  await plans.settled();
  // The next charge is 31 days away. That is more than the 30 days' notice, so the price can be approved immediately.
  expect(await plans.read(plan)).toMatchObject({
    ...{ change: { price: '270.00', state: 'announced' }, actions: expect.arrayContaining(['approve']) },
  });
  expect(await plans.news(plan)).toEqual(['price_change_approvable', 'price_change_approvable']);
  await makeChange(plan, 'Premium', '270.00');
  await offer('Premium', '250.00');
  await endNow(plan);
});

describe('a customer who changes the package', () => {
  beforeAll(async () => {
    await offer('Basic', '100.00');
    await offer('Premium', '250.00');
  });

  test('sees the new price first, and pays it from the next charge on', async () => {
    const plan = await subscribe('Premium', '250.00');
    const { nextChargeAt } = await plans.read(plan);
    const [before] = (await figures()).months.slice(-1);
    const shown = await plan.customer.get(`/plan-subscription/${plan.id}/change?packageName=Basic`);
    expect(shown.json).toEqual({
      ...{ packageName: 'Basic', price: '100.00', presentPrice: '250.00', appliesFrom: nextChargeAt },
    });
    expect((await startChange(plan, 'Basic', '90.00')).status).toBe(409);
    await makeChange(plan, 'Basic', '100.00');
    expect(await plans.read(plan)).toMatchObject({ price: '250.00', nextChargeAmount: '100.00' });
    expect((await figures()).months.at(-1)).toEqual(before);
    await plans.toNextCharge(plan);
    expect(await plans.chargeOrders(plan)).toMatchObject([
      { packageName: 'Premium', priceCents: 25_000 },
      { packageName: 'Basic', priceCents: 10_000 },
    ]);
    expect(await plans.read(plan)).toMatchObject({ packageName: 'Basic', price: '100.00', change: null });
    expect((await figures()).months.slice(-2)).toMatchObject([before, { contraction: '150.00' }]);
    await endNow(plan);
  });

  test('but has not approved the change yet still sees the price that was announced before, and can still approve the change', async () => {
    const plan = await subscribe('Premium', '250.00');
    await offer('Premium', '270.00');
    expect(await announce('Premium', '270.00')).toBe(1);
    expect((await startChange(plan, 'Basic', '100.00')).status).toBe(200);
    const announced = { packageName: 'Premium', price: '270.00', requestedBy: 'admin', state: 'announced' };
    expect((await plans.act(plan, 'refresh')).change).toMatchObject(announced);
    // PayPal's page for approving the change is still open.
    await shop.paypal.approveRevision(plan.reference);
    expect((await plans.act(plan, 'refresh')).change).toMatchObject({
      ...{ packageName: 'Basic', price: '100.00', requestedBy: 'customer', state: 'approved' },
    });
    await offer('Premium', '250.00');
    await endNow(plan);
  });

  fullTest(
    'but has not approved the change yet is sent the announcement of a new price, and can still approve the change',
    async () => {
      const plan = await subscribe('Premium', '250.00');
      await startChange(plan, 'Basic', '100.00');
      await offer('Premium', '270.00');
      expect((await preview('Premium')).groups).toMatchObject([{ price: '250.00', customers: 1 }]);
      expect(await announce('Premium', '270.00')).toBe(1);
      expect(await plans.news(plan)).toEqual(['price_change_approvable']);
      // PayPal's page for approving the change is still open.
      await shop.paypal.approveRevision(plan.reference);
      expect((await plans.act(plan, 'refresh')).change).toMatchObject({
        packageName: 'Basic',
        price: '100.00',
      });
      await plans.toNextCharge(plan);
      expect((await plans.chargeOrders(plan)).at(-1)).toMatchObject({
        packageName: 'Basic',
        priceCents: 10_000,
      });
      await offer('Premium', '250.00');
      await endNow(plan);
    },
  );

  fullTest(
    'has the new package in the next order, although we learn of the approval after the charge',
    async () => {
      const plan = await subscribe('Premium', '250.00');
      await startChange(plan, 'Basic', '100.00');
      await shop.paypal.misbehave({ subscriptionId: plan.reference }, { drop: true });
      await shop.paypal.misbehaveApi({ operation: 'subscriptions.get', mode: 'error' });
      await shop.paypal.approveRevision(plan.reference);
      await shop.paypal.advanceClock(35 * dayMs);
      await shop.paypal.behave();
      await plans.advance(dayMs);
      expect(await plans.chargeOrders(plan)).toMatchObject([
        { packageName: 'Premium', priceCents: 25_000 },
        { packageName: 'Basic', priceCents: 10_000 },
      ]);
      expect(await plans.read(plan)).toMatchObject({ packageName: 'Basic', price: '100.00', change: null });
    },
  );
});
