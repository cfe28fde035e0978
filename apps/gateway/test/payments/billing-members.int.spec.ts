import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Invoice, Order, OrdersSummary, PlanSubscription, TeamRole } from '#libs/contracts';
import { operations } from '#libs/operations';
import { eventually, type Session } from '#libs/testing';
import { sampleRequest, unknownId } from '../sample-requests.js';
import { accountIdOf } from '../site.harness.js';
import { type Plan, Plans } from './plans.harness.js';
import type { PlacedOrder, Shop } from './shop.harness.js';

// A colleague with the role `billing` sees and pays the team owner's orders, invoices and monthly plans. Other customers cannot see that these exist.

let shop: Shop;
let plans: Plans;
/** For the projects database. `shop.sql` is for the orders database. */
let projectsSql: pg.Client;
/** Not paid. */
let order: PlacedOrder;
/** Its first order is paid. */
let plan: Plan;
/** For the plan's first order. */
let invoice: Invoice;
let owner: Session;
let payer: Session;
let others: Record<string, Session>;

beforeAll(async () => {
  plans = await Plans.open({ without: ['content'] });
  shop = plans.shop;
  owner = shop.customer;
  projectsSql = new pg.Client({ connectionString: shop.site.databaseUrls.projects });
  await projectsSql.connect();
  const admin = await shop.site.admin();
  const settings = operations.find(({ operationId }) => operationId === 'updateInvoiceSettings')!;
  expect((await admin.put('/invoice-settings', sampleRequest(settings).body)).status).toBe(200);
  order = await shop.placeOrder();
  plan = await plans.subscribe();
  invoice = await eventually(
    async () => {
      const [issued] = (await owner.get<Invoice[]>('/invoices')).json;
      expect(issued?.file).toBe('ready');
      return issued!;
    },
    { timeoutMs: 30_000 },
  );
  payer = await colleague('billing');
  const former = await colleague('billing');
  const demoted = await colleague('billing');
  await eventually(async () => expect(await ordersOf(demoted)).toHaveLength(2));
  await eventually(async () => expect(await ordersOf(former)).toHaveLength(2));
  expect((await owner.delete(`/team/members/${accountIdOf(former)}`)).status).toBe(200);
  expect((await owner.put(`/team/members/${accountIdOf(demoted)}`, { role: 'member' })).status).toBe(200);
  others = {
    'another customer': await shop.site.customer(),
    'a member': await colleague('member'),
    'a former colleague': former,
    'a colleague who no longer has the role': demoted,
  };
  await eventually(async () => expect(await ordersOf(former)).toEqual([]));
  await eventually(async () => expect(await ordersOf(demoted)).toEqual([]));
  await eventually(async () => expect(await ordersOf(payer)).toHaveLength(2));
});
afterAll(async () => {
  await projectsSql?.end();
  await shop?.close();
});

const ordersOf = async (person: Session, query = '') => (await person.get<Order[]>(`/orders${query}`)).json;

async function colleague(role: TeamRole): Promise<Session> {
  const person = await shop.site.customer();
  await join(person, role);
  return person;
}

/**
 * Inserts the person into the team, as if they had accepted an invitation. The insert publishes no event, so the person first gets the other of the
 * two roles. The owner then changes it to `role`, and the event of that change tells the orders service.
 */
async function join(person: Session, role: TeamRole): Promise<void> {
  const [ownerId, accountId] = [accountIdOf(owner), accountIdOf(person)];
  const invitedAs = role === 'billing' ? 'member' : 'billing';
  await projectsSql.query('INSERT INTO teams (owner_id, version) VALUES ($1, 1) ON CONFLICT DO NOTHING', [
    ownerId,
  ]);
  await projectsSql.query(
    `INSERT INTO team_members (owner_id, account_id, role, name, email, joined_at)
     VALUES ($1, $2, $3, 'Grace', $4, now())`,
    [ownerId, accountId, invitedAs, person.email],
  );
  expect((await owner.put(`/team/members/${accountId}`, { role })).status).toBe(200);
}

async function waitForBillingRole(person: Session, active: boolean): Promise<void> {
  await eventually(async () => {
    const { rows } = await shop.sql.query('SELECT active FROM billing_members WHERE account_id = $1', [
      accountIdOf(person),
    ]);
    expect(rows).toEqual([{ active }]);
  });
}

/** By operation id. */
const expectedStatuses: Record<string, number> = {
  ...{ getOrder: 200, getOrderTimeline: 200, startPayment: 201, returnFromPayment: 200, cancelOrder: 403 },
  ...{ getInvoice: 200, downloadInvoice: 200 },
  ...{ getPlanSubscription: 200, getPlanSubscriptionTimeline: 200, refreshPlanSubscription: 200 },
  // The plan is not past due, so there is no charge to try again.
  retryPlanSubscription: 409,
  ...{ cancelPlanSubscription: 403, resumePlanSubscription: 403 },
  ...{ previewPlanChange: 403, startPlanChange: 403 },
};
const calls = operations.filter(
  ({ policy, path }) =>
    policy.access === 'customer' && /^\/(order|order-cancelled|invoice|plan-subscription)\/:id/.test(path),
);

function call(operationId: string, person: Session) {
  const operation = calls.find((one) => one.operationId === operationId)!;
  const { method, path, body } = sampleRequest(operation);
  const id = path.startsWith('/invoice') ? invoice._id : path.startsWith('/plan') ? plan.id : order.id;
  return person.send(method, path.replace(unknownId, id), body ? { body } : {});
}

test('`expectedStatuses` has every call that customers can make about one order, invoice or plan', () => {
  expect(calls.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(expectedStatuses).sort());
});

test.each(Object.entries(expectedStatuses))('%s answers %i to the colleague', async (operationId, status) => {
  const answer = await call(operationId, payer);
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
});

test.each(Object.keys(expectedStatuses))('%s finds nothing for anybody else', async (operationId) => {
  for (const [name, person] of Object.entries(others))
    expect([name, (await call(operationId, person)).status]).toEqual([name, 404]);
});

describe('lists', () => {
  test('show the colleague what the owner sees, without actions on the plan, and nothing to others', async () => {
    const listed = async (person: Session) => ({
      orders: (await ordersOf(person)).map(({ _id }) => _id).sort(),
      total: (await person.get<OrdersSummary>('/orders/summary')).json.orders,
      invoices: (await person.get<Invoice[]>('/invoices')).json.map(({ number }) => number),
      plans: (await person.get<PlanSubscription[]>('/plan-subscriptions')).json.map(
        ({ _id, actions }) => `${_id} ${actions.join()}`,
      ),
    });
    expect(await listed(payer)).toEqual({ ...(await listed(owner)), plans: [`${plan.id} `] });
    const nothing = { orders: [], total: 0, invoices: [], plans: [] };
    for (const person of Object.values(others)) expect(await listed(person)).toEqual(nothing);
  });

  test('show only one customer’s orders, or only the caller’s own, if the query asks for that', async () => {
    const countOrders = async (person: Session, customer: Session) =>
      (await ordersOf(person, `?customer=${accountIdOf(customer)}`)).length;
    expect([
      await countOrders(payer, owner),
      await countOrders(payer, payer),
      await countOrders(owner, owner),
    ]).toEqual([2, 0, 2]);
    expect([await countOrders(owner, payer), await countOrders(others['another customer']!, owner)]).toEqual([
      0, 0,
    ]);
    expect([
      (await ordersOf(payer, '?own=true')).length,
      (await ordersOf(owner, '?own=true')).length,
    ]).toEqual([0, 2]);
  });
});

test('the colleague’s copy of their own data has no data of the owner', async () => {
  const { json, text } = await payer.get<Record<string, unknown[]>>('/auth/my-data');
  expect(json).toMatchObject({ orders: [], planSubscriptions: [], invoices: [] });
  expect(text).not.toContain(owner.email!);
});

test('the colleague pays an order of the owner', async () => {
  const unpaid = await shop.placeOrder();
  // The harness makes calls about an order in the name of its `customer`.
  const asPayer = { ...unpaid, customer: payer };
  await shop.pay(asPayer);
  expect(await shop.returnFromPayment(asPayer)).toBe('paid');
  expect(await shop.storedOrder(unpaid)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
  expect(await ordersOf(owner, '?paymentStatus=Paid')).toHaveLength(2);
  // 403 and not 409: the colleague may not cancel at all, paid or not.
  expect((await payer.put(`/order-cancelled/${unpaid.id}`, { paymentStatus: 'Cancelled' })).status).toBe(403);
});

test('the colleague tries a failed charge of a plan again', async () => {
  await shop.paypal.setFunding(plan.reference, 'declined');
  await plans.toNextCharge(plan);
  await plans.waitForState(plan, 'past_due');
  expect((await plans.read(plan, payer)).actions).toEqual(['retry']);
  await shop.paypal.setFunding(plan.reference, 'ok');
  await plans.act(plan, 'retry', undefined, payer);
  await plans.waitForState(plan, 'active');
});

test('an admin who is a colleague with the role `billing` cannot pay the owner’s orders', async () => {
  const admin = await shop.site.admin();
  await join(admin, 'billing');
  await waitForBillingRole(admin, true);
  expect((await shop.payNow(order, admin)).status).toBe(404);
  expect(await ordersOf(admin, '?own=true')).toEqual([]);
});

test('an order that the colleague places is their own', async () => {
  const own = await shop.placeOrderBy(payer);
  expect((await owner.get(`/order/${own.id}`)).status).toBe(404);
  expect((await ordersOf(owner)).map(({ _id }) => _id)).not.toContain(own.id);
});

test('a colleague who deletes their account loses access, and the timeline no longer names them', async () => {
  const leaving = await colleague('billing');
  await eventually(async () => expect((await leaving.get(`/order/${order.id}`)).status).toBe(200));
  const another = await shop.placeOrder();
  expect((await shop.payNow(another, leaving)).status).toBe(201);
  const deleted = await leaving.post('/auth/delete-account', {
    currentPassword: 'correct horse battery',
  });
  expect(`${deleted.status} ${deleted.text}`).toMatch(/^200 /);
  await eventually(async () => expect((await leaving.get(`/order/${another.id}`)).status).toBe(401));
  await waitForBillingRole(leaving, false);
  // The orders service gets two independent events: projects reports that the role has ended, and identity that the account is deleted.
  await eventually(async () => {
    const { rows } = await shop.sql.query<{ by: string }>(
      `SELECT by FROM order_timeline WHERE order_id = $1 AND kind = 'attempt_started'`,
      [another.id],
    );
    expect(rows).toEqual([{ by: 'a deleted account' }]);
  });
});
