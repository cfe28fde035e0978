import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { orderContract, teamChanged, type TeamRole } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { uuidv7 } from '#libs/database';
import { EventPublisher, RpcClient } from '#libs/transport';
import { type ProjectsUnderTest, startProjects } from '../../projects/test/projects.harness.js';
import { BillingMemberRepository } from '../billing-member/billing-member.repository.js';
import { BillingMemberService } from '../billing-member/billing-member.service.js';
import { type OrdersUnderTest, otherCustomer, startOrders } from './orders.harness.js';

let orders: OrdersUnderTest;
let publisher: EventPublisher;
let projects: ProjectsUnderTest;
let rpc: RpcClient;

beforeAll(async () => {
  orders = await startOrders();
  publisher = new EventPublisher({ redisUrl: orders.redisUrl, name: 'test' });
  await publisher.connect();
  projects = await startProjects();
  rpc = new RpcClient({ redisUrl: projects.redisUrl, caller: 'orders' });
  await rpc.connect();
  await orders.putOrders(3);
});
afterAll(async () => {
  await Promise.all([publisher?.close(), rpc?.close()]);
  await Promise.all([orders?.stop(), projects?.stop()]);
});

const ownerId = actors.customer.accountId;

const publishRole = (role: TeamRole | null, version: number, accountId = otherCustomer.accountId) =>
  publisher.publish([
    {
      ...{ id: uuidv7(), event: teamChanged.event, occurredAt: new Date() },
      payload: { ownerId, accountId, role, version },
    },
  ]);

const markers: string[] = [];

/**
 * Publishes an event and waits until it is handled. By then, earlier events have probably been handled too; that is not certain, because events are
 * handled concurrently.
 */
async function catchUp(): Promise<void> {
  const accountId = uuidv7();
  markers.push(accountId);
  await publishRole('billing', 1, accountId);
  await eventually(async () => {
    const { rows } = await orders.sql.query('SELECT 1 FROM billing_members WHERE account_id = $1', [
      accountId,
    ]);
    expect(rows).toHaveLength(1);
  });
}

const storedMembers = async () =>
  (
    await orders.sql.query(
      'SELECT account_id AS "accountId", active, version FROM billing_members WHERE account_id <> ALL ($1)',
      [markers],
    )
  ).rows;

const visibleOrders = async () =>
  (await orders.client.call(orderContract.listOrders, {}, { actor: otherCustomer })).total;

test('an older event that arrives late or twice does not restore access, but a newer one does', async () => {
  await publishRole('billing', 1);
  await eventually(async () => expect(await visibleOrders()).toBe(3));
  await publishRole('member', 3);
  await eventually(async () => expect(await visibleOrders()).toBe(0));
  await publishRole('billing', 2);
  await publishRole('billing', 1);
  await catchUp();
  expect(await storedMembers()).toEqual([{ accountId: otherCustomer.accountId, active: false, version: 3 }]);
  await publishRole('billing', 4);
  await eventually(async () => expect(await visibleOrders()).toBe(3));
  await publishRole(null, 5);
  await eventually(async () => expect(await visibleOrders()).toBe(0));
});

test('a comparison with the projects service finds what no event reported', async () => {
  const repository = orders.replicas[0]!.app.get(BillingMemberRepository);
  const members = new BillingMemberService(repository, rpc);
  await orders.sql.query('DELETE FROM billing_members');
  await projects.join(ownerId, otherCustomer, 'billing');
  await projects.join(ownerId, actors.admin, 'member');
  const others = [uuidv7(), uuidv7()];
  for (const accountId of others) await projects.join(ownerId, { ...otherCustomer, accountId }, 'billing');
  // With one member per page.
  await members.reconcile(1);
  expect((await storedMembers()).map(({ accountId }) => accountId as string).sort()).toEqual(
    [otherCustomer.accountId, ...others].sort(),
  );
  expect(await visibleOrders()).toBe(3);
  await projects.sql.query('DELETE FROM team_members WHERE account_id = $1', [otherCustomer.accountId]);
  await members.reconcile();
  expect(await visibleOrders()).toBe(0);
  // A member that has changed since the comparison began is not deactivated.
  await repository.deactivate({ ownerId, accountId: others[0]!, active: true, version: 0 });
  expect(await repository.hasActive(ownerId, others[0]!)).toBe(true);
  // A later event still takes effect.
  await publishRole('billing', 9);
  await eventually(async () => expect(await visibleOrders()).toBe(3));
});
