import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AdminNotification, identityContract, system } from '#libs/contracts';
import { actorOf, adminEmail, adminPassword, IdentityHarness, type Person } from './identity.harness.js';

let identity: IdentityHarness;
let admin: Person;

beforeAll(async () => {
  identity = await IdentityHarness.start();
  admin = actorOf(await identity.login(adminEmail, adminPassword));
});
afterAll(() => identity?.stop());

const allOn = {
  ...{ newOrders: true, payments: true, refunds: true, reviews: true, messages: true },
  ...{ projects: true, projectMessages: true },
};
const settings = (actor: Person) =>
  identity.client.call(identityContract.getNotificationSettings, {}, { actor });
const update = (actor: Person, change: Partial<typeof allOn>) =>
  identity.client.call(identityContract.updateNotificationSettings, { ...allOn, ...change }, { actor });
const recipients = (notification?: AdminNotification) =>
  identity.client.call(identityContract.adminEmails, { notification }, { actor: system });

async function anotherAdmin(email: string): Promise<Person> {
  const person = actorOf(await identity.registerVerified(email));
  await identity.client.call(identityContract.createAdminUser, { userEmail: email }, { actor: admin });
  return { ...person, role: 'admin' };
}

/** The events about the list of admins, oldest first. */
const announced = async () =>
  (
    await identity.sql<{ payload: Record<string, unknown> }>(
      `SELECT payload FROM outbox_messages WHERE event = 'identity.adminListChanged' ORDER BY id`,
    )
  ).map(({ payload }) => payload);

test('everything is on until an admin switches it off for themselves', async () => {
  // The addresses of admins are listed by the age of their accounts.
  identity.clock.advance({ seconds: 1 });
  const second = await anotherAdmin('second@example.com');
  expect(await settings(second)).toEqual(allOn);
  expect(await recipients('newOrders')).toEqual([adminEmail, second.email]);
  await update(second, { newOrders: false, refunds: false });
  expect(await settings(second)).toEqual({ ...allOn, newOrders: false, refunds: false });
  expect(await settings(admin)).toEqual(allOn);
  expect(await recipients('newOrders')).toEqual([adminEmail]);
  expect(await recipients('payments')).toEqual([adminEmail, second.email]);
  expect(await recipients()).toEqual([adminEmail, second.email]);
  await update(second, {});
  expect(await recipients('newOrders')).toEqual([adminEmail, second.email]);
});

test('saving the settings without a change is not recorded in the audit log', async () => {
  const entries = () =>
    identity.sql(`SELECT 1 FROM audit_entries WHERE section = 'notificationSettings' AND record_id = $1`, [
      admin.accountId,
    ]);
  await update(admin, { newOrders: false });
  expect(await entries()).toHaveLength(1);
  await update(admin, { newOrders: false });
  expect(await entries()).toHaveLength(1);
  await update(admin, {});
});

test('customers can neither read nor change the settings', async () => {
  const customer = actorOf(await identity.registerVerified('customer@example.com'));
  await expect(settings(customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(update(customer, {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('each change of the list of admins by a person is announced, with who made it', async () => {
  const third = await anotherAdmin('third@example.com');
  const common = { formerEmail: null, removedEmail: null, by: adminEmail };
  expect((await announced()).at(-1)).toEqual({ ...common, change: 'created', userEmail: third.email });

  const entries = await identity.client.call(identityContract.listAdminUsers, {}, { actor: admin });
  const { _id: id } = entries.find(({ userEmail }) => userEmail === third.email)!;
  await identity.client.call(identityContract.deleteAdminUser, { id }, { actor: admin });
  expect((await announced()).at(-1)).toEqual({
    change: 'deleted',
    userEmail: third.email,
    formerEmail: null,
    removedEmail: third.email,
    by: adminEmail,
  });

  await identity.client.call(identityContract.restoreAdminUser, { id }, { actor: admin });
  expect((await announced()).at(-1)).toEqual({ ...common, change: 'restored', userEmail: third.email });

  // A change of the letter case removes no admin.
  const otherCase = 'Third@example.com';
  await identity.client.call(
    identityContract.updateAdminUser,
    { id, userEmail: otherCase },
    { actor: admin },
  );
  expect((await announced()).at(-1)).toMatchObject({ formerEmail: third.email, removedEmail: null });
  await identity.client.call(
    identityContract.updateAdminUser,
    { id, userEmail: third.email },
    { actor: admin },
  );

  const userEmail = 'nobody-yet@example.com';
  await identity.client.call(identityContract.updateAdminUser, { id, userEmail }, { actor: admin });
  expect((await announced()).at(-1)).toEqual({
    ...common,
    change: 'updated',
    userEmail,
    formerEmail: third.email,
    removedEmail: third.email,
  });
  // Nobody has confirmed that address, so its deletion removes no admin.
  await identity.client.call(identityContract.deleteAdminUser, { id }, { actor: admin });
  expect((await announced()).at(-1)).toMatchObject({ change: 'deleted', userEmail, removedEmail: null });
});

test('the first admin, who is set up by the operator, is not announced', async () => {
  expect((await announced()).map(({ userEmail }) => userEmail)).not.toContain(adminEmail);
});
