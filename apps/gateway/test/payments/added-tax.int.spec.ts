import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Invoice, Order, PlanSubscription } from '#libs/contracts';
import { allSections } from '#libs/content-model';
import { eventually, sampleBody, type Session, fullTest } from '#libs/testing';
import { type Plan, Plans } from './plans.harness.js';
import type { PlacedOrder, Shop } from './shop.harness.js';

// The seller's prices are without tax.

let shop: Shop;
let plans: Plans;
let admin: Session;

beforeAll(async () => {
  plans = await Plans.open({
    without: ['messaging', 'projects'],
    // Requests may take long on a busy machine.
    ordersSettings: { PAYPAL_TIMEOUT_MS: '8000' },
  });
  shop = plans.shop;
  admin = await shop.site.admin();
  const seller = { name: 'Rank & Rise ApS', addressLine1: 'Strøget 1', city: 'København', countryCode: 'DK' };
  const settings = { ...seller, taxNumber: '12345678', taxMode: 'exclusive' };
  expect((await admin.put('/invoice-settings', settings)).status).toBe(200);
  await offer('Basic', '200.00');
  await offer('Large', '400.00');
});
afterAll(() => shop?.close());

async function offer(packageName: string, packagePrice: string): Promise<void> {
  const pricing = allSections.find(({ name }) => name === 'pricingPackage')!;
  const body = { ...sampleBody(pricing, packageName), packageName, packagePrice };
  expect((await admin.post('/add-pricing', body)).status).toBe(201);
}

async function placeOrder({ renews = false, customerCountry = 'Denmark' } = {}): Promise<PlacedOrder> {
  const customer = await shop.site.customer();
  const { status, json } = await customer.post<Order>('/new-order', {
    ...{ packageName: 'Basic', packagePrice: '200.00', renews, customerEmail: customer.email! },
    ...{ customerName: 'Ada', customerAddress: 'Street 1', customerCountry },
  });
  expect(status).toBe(201);
  return { id: json._id, customer };
}

async function subscribe(): Promise<Plan> {
  const order = await placeOrder({ renews: true });
  const reference = await plans.begin(order);
  await shop.paypal.approveSubscription(reference);
  await shop.returnFromPayment(order);
  const plan = { id: await plans.idOf(reference), reference, order, customer: order.customer };
  await plans.waitForState(plan, 'active');
  return plan;
}

const readOrder = async ({ id, customer }: PlacedOrder) => (await customer.get<Order>(`/order/${id}`)).json;
const invoicesOf = async ({ customer }: Pick<PlacedOrder, 'customer'>, count: number) =>
  eventually(async () => {
    const { json } = await customer.get<Invoice[]>('/invoices?direction=asc');
    expect(json).toHaveLength(count);
    return json.map(({ kind, net, tax, gross }) => ({ kind, net, tax, gross }));
  });
const taxedInvoice = { kind: 'invoice', net: '200.00', tax: '50.00', gross: '250.00' };

test('the customer pays the price and the tax, and the invoice has both', async () => {
  const order = await placeOrder();
  expect(await readOrder(order)).toMatchObject({
    packagePrice: '200.00',
    addedTax: '50.00',
    addedTaxRate: '25',
  });
  await shop.pay(order);
  await shop.returnFromPayment(order);
  expect(await readOrder(order)).toMatchObject({ paymentStatus: 'Paid', payments: [{ amount: '250.00' }] });
  expect(await invoicesOf(order, 1)).toEqual([taxedInvoice]);
});

test('a customer for whom no tax is due pays only the price', async () => {
  const order = await placeOrder({ customerCountry: 'Norway' });
  await shop.pay(order);
  await shop.returnFromPayment(order);
  expect(await readOrder(order)).toMatchObject({ paymentStatus: 'Paid', payments: [{ amount: '200.00' }] });
  expect(await invoicesOf(order, 1)).toEqual([
    { kind: 'invoice', net: '200.00', tax: '0.00', gross: '200.00' },
  ]);
});

fullTest('a monthly plan charges the tax every month, also after a change of the package', async () => {
  const plan = await subscribe();
  expect(await plans.read(plan)).toMatchObject({
    ...{ price: '200.00', addedTaxRate: '25', nextChargeAmount: '250.00' },
  });
  await plans.toNextCharge(plan);
  expect(await plans.chargeOrders(plan)).toMatchObject([{ priceCents: 20_000 }, { priceCents: 20_000 }]);
  const change = { packageName: 'Large', packagePrice: '400.00' };
  expect((await plan.customer.post(`/plan-subscription/${plan.id}/change`, change)).status).toBe(200);
  await shop.paypal.approveRevision(plan.reference);
  const approved: PlanSubscription = await plans.act(plan, 'refresh');
  expect(approved).toMatchObject({
    ...{ change: { state: 'approved', price: '400.00', priceWithTax: '500.00' } },
    nextChargeAmount: '500.00',
  });
  await plans.toNextCharge(plan);
  expect(await plans.read(plan)).toMatchObject({ packageName: 'Large', price: '400.00', change: null });
  const { charges } = await plans.atPaypal(plan);
  expect(charges.map(({ gross }) => gross)).toEqual(['250.00', '250.00', '500.00']);
  expect(await invoicesOf(plan, 3)).toEqual([
    taxedInvoice,
    taxedInvoice,
    { kind: 'invoice', net: '400.00', tax: '100.00', gross: '500.00' },
  ]);
});
