import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Actor,
  type AdminUser,
  demoDataContract,
  demoDomain,
  identityContract,
  visitor,
} from '#libs/contracts';
import { eventually } from '#libs/testing';
import { actorOf, adminEmail, adminPassword, IdentityHarness, type Person } from './identity.harness.js';

let identity: IdentityHarness;
let admin: Person;
let personCount = 0;
const nextEmail = () => `person${(personCount += 1)}@example.com`;

beforeAll(async () => {
  identity = await IdentityHarness.start();
  admin = actorOf(await identity.login(adminEmail, adminPassword));
});
afterAll(() => identity.stop());
beforeEach(() => {
  identity.broadcasts.length = 0;
});

const list = (actor: Actor) => identity.client.call(identityContract.listAdminUsers, {}, { actor });
const get = (id: string, actor: Actor) =>
  identity.client.call(identityContract.getAdminUser, { id }, { actor });
const add = (userEmail: string, actor: Actor = admin, requestId: string = randomUUID()) =>
  identity.client.call(identityContract.createAdminUser, { userEmail }, { actor, requestId });
const update = (
  id: string,
  userEmail: string,
  { actor = admin as Actor, ifVersion = undefined as number | undefined } = {},
) => identity.client.call(identityContract.updateAdminUser, { id, userEmail, ifVersion }, { actor });
const restore = (id: string, actor: Actor = admin) =>
  identity.client.call(identityContract.restoreAdminUser, { id }, { actor });
const remove = (id: string, actor: Actor = admin) =>
  identity.client.call(identityContract.deleteAdminUser, { id }, { actor });

async function addSecondAdmin(): Promise<{ actor: Person; entry: AdminUser }> {
  const signedIn = await identity.registerVerified(nextEmail());
  const entry = await add(signedIn.account.email);
  return { entry, actor: { ...actorOf(signedIn), role: 'admin' } };
}

async function entryOfFirstAdmin(): Promise<AdminUser> {
  const entry = (await list(admin)).find(({ userEmail }) => userEmail === adminEmail);
  return entry!;
}

describe('the role of an admin', () => {
  test('is looked up at each call: adding and removing take effect immediately', async () => {
    const signedIn = await identity.registerVerified(nextEmail());
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toMatchObject({
      role: 'Customer',
    });
    const entry = await add(signedIn.account.email.toUpperCase());
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toMatchObject({ role: 'Admin' });
    await remove(entry._id);
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toMatchObject({
      role: 'Customer',
    });
  });

  test('does not change when demo data is removed, even for an address of the demo domain', async () => {
    const owner = await identity.registerVerified(`owner@${demoDomain}`);
    const { _id } = await add(owner.account.email);
    await identity.registerVerified(`customer@${demoDomain}`);
    const options = { actor: admin };
    expect(await identity.client.call(demoDataContract.countAccounts, {}, options)).toEqual({ customers: 1 });
    expect(await identity.client.call(demoDataContract.removeAccounts, {}, options)).toEqual({
      customers: 1,
    });
    await expect(identity.findAccountOfSession(owner.sessionId)).resolves.toMatchObject({ role: 'Admin' });
    await remove(_id);
  });

  test('is not given to an account with a listed but unverified address', async () => {
    const squatter = await identity.register(nextEmail());
    const entry = await add(squatter.account.email);
    await expect(identity.findAccountOfSession(squatter.sessionId)).resolves.toMatchObject({
      role: 'Customer',
    });
    await expect(list(actorOf(squatter))).resolves.toEqual([]);
    await expect(get(entry._id, actorOf(squatter))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the list', () => {
  test('is shown to admins, and is empty for visitors and for customers who are not on it', async () => {
    const customer = actorOf(await identity.registerVerified(nextEmail()));
    await expect(list(admin)).resolves.toContainEqual({
      _id: expect.any(String),
      userEmail: adminEmail,
      userRole: 'Admin',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      version: 1,
    });
    await expect(list(visitor)).resolves.toEqual([]);
    await expect(list(customer)).resolves.toEqual([]);
  });

  // For example, an admin without the required second factor has the role of a customer.
  test('shows a caller in the role of a customer their own entry and no other', async () => {
    const signedIn = await identity.registerVerified(nextEmail());
    const entry = await add(signedIn.account.email);
    const customer = actorOf(signedIn);
    const { _id: otherId } = await entryOfFirstAdmin();
    await expect(list(customer)).resolves.toEqual([entry]);
    await expect(get(entry._id, customer)).resolves.toEqual(entry);
    await expect(get(otherId, customer)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(get(otherId, visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test.each(['nonsense', '018f0000-0000-7000-8000-000000000000'])(
    'answers NOT_FOUND for the unknown id %s',
    async (id) => {
      await expect(get(id, admin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(update(id, 'a@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  test('can be changed only by admins', async () => {
    const customer = actorOf(await identity.registerVerified(nextEmail()));
    const entry = await add(nextEmail());
    for (const [actor, code] of [
      [visitor, 'UNAUTHENTICATED'],
      [customer, 'FORBIDDEN'],
    ] as const) {
      await expect(add('x@example.com', actor)).rejects.toMatchObject({ code });
      await expect(update(entry._id, 'x@example.com', { actor })).rejects.toMatchObject({ code });
      await expect(remove(entry._id, actor)).rejects.toMatchObject({ code });
    }
    await expect(get(entry._id, admin)).resolves.toEqual(entry);
    await remove(entry._id);
    await expect(restore(entry._id, visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(restore(entry._id, customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('adding', () => {
  test('stores an address once, in any letter case, even if it is added three times in parallel', async () => {
    const email = nextEmail();
    const outcomes = await Promise.allSettled([add(email), add(email.toUpperCase()), add(email)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(add(email)).rejects.toMatchObject({
      code: 'DUPLICATE',
      details: { fields: [{ field: 'userEmail', message: 'This address already belongs to an admin' }] },
    });
  });

  test('adds an entry once for a repeated request', async () => {
    const requestId = randomUUID();
    const email = nextEmail();
    const first = await add(email, admin, requestId);
    await expect(add(email, admin, requestId)).resolves.toEqual(first);
  });

  test('is refused to a former admin, whatever the gateway has cached', async () => {
    const former = await addSecondAdmin();
    await remove(former.entry._id);
    await expect(add(nextEmail(), former.actor)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('accepts only documented fields with valid values', async () => {
    const call = (body: object) =>
      identity.client.call(identityContract.createAdminUser, body as { userEmail: string }, { actor: admin });
    for (const body of [
      {},
      { userEmail: 'nonsense' },
      { userEmail: 'a@example.com', userRole: 'Owner' },
      { userEmail: 'a@example.com', more: 1 },
    ]) {
      await expect(call(body)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });
});

describe('changing an entry', () => {
  test('increases its version, and is refused for a stale version, with the current record', async () => {
    const entry = await add(nextEmail());
    const updated = await update(entry._id, nextEmail(), { ifVersion: 1 });
    expect(updated).toMatchObject({ modified: true, record: { version: 2 } });
    await expect(update(entry._id, nextEmail(), { ifVersion: 1 })).rejects.toMatchObject({
      code: 'VERSION_MISMATCH',
      details: { current: updated.record },
    });
    await expect(remove(entry._id)).resolves.toEqual({ _id: entry._id });
  });

  test('to its current value modifies nothing', async () => {
    const entry = await add(nextEmail());
    await expect(update(entry._id, entry.userEmail)).resolves.toEqual({ record: entry, modified: false });
  });

  test("to another entry's address is refused; to another letter case of its own is not", async () => {
    const entry = await add(nextEmail());
    await expect(update(entry._id, adminEmail.toUpperCase())).rejects.toMatchObject({ code: 'DUPLICATE' });
    await expect(update(entry._id, entry.userEmail.toUpperCase())).resolves.toMatchObject({ modified: true });
  });
});

describe('a removed admin', () => {
  test('is restored with the same id and is an admin again immediately; a second restoration changes nothing', async () => {
    const signedIn = await identity.registerVerified(nextEmail());
    const entry = await add(signedIn.account.email);
    await remove(entry._id);
    const back = await restore(entry._id);
    expect(back).toMatchObject({ _id: entry._id, userEmail: entry.userEmail, version: entry.version + 2 });
    await expect(identity.findAccountOfSession(signedIn.sessionId)).resolves.toMatchObject({ role: 'Admin' });
    await expect(restore(entry._id)).resolves.toEqual(back);
    await expect(get(entry._id, admin)).resolves.toEqual(back);
    const history = await identity.sql(
      `SELECT change FROM admin_user_history WHERE admin_user_id = $1 ORDER BY version`,
      [entry._id],
    );
    expect(history.map(({ change }) => change)).toEqual(['created', 'deleted', 'restored']);
  });

  test('cannot be restored by a customer, after an hour, or if the address is listed again; neither can an unknown id', async () => {
    const [again, late] = [await add(nextEmail()), await add(nextEmail())];
    await remove(again._id);
    await remove(late._id);
    const customer = actorOf(await identity.registerVerified(nextEmail()));
    await expect(restore(late._id, customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const replacement = await add(again.userEmail);
    await expect(restore(again._id)).rejects.toMatchObject({ code: 'DUPLICATE' });
    await remove(replacement._id);
    await identity.sql(
      `UPDATE admin_user_history SET changed_at = changed_at - interval '61 minutes' WHERE admin_user_id = $1`,
      [late._id],
    );
    for (const id of [late._id, 'nonsense', randomUUID()])
      await expect(restore(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the last admin', () => {
  beforeEach(async () => {
    for (const entry of await list(admin)) if (entry.userEmail !== adminEmail) await remove(entry._id);
  });

  test('cannot be removed or given another address, even if there are unverified entries', async () => {
    await add(nextEmail());
    await add((await identity.register(nextEmail())).account.email);
    const { _id } = await entryOfFirstAdmin();
    await expect(remove(_id)).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    await expect(update(_id, nextEmail())).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    await expect(list(admin)).resolves.toContainEqual(
      expect.objectContaining({ _id, userEmail: adminEmail }),
    );
  });

  test('remains when two admins remove each other at the same moment', async () => {
    const second = await addSecondAdmin();
    const first = await entryOfFirstAdmin();
    const outcomes = await Promise.allSettled([remove(second.entry._id), remove(first._id, second.actor)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [count] = await identity.sql(
      `SELECT count(*)::int AS admins FROM accounts a JOIN admin_users u USING (email_normalized)
       WHERE a.email_verified`,
    );
    expect(count).toEqual({ admins: 1 });
    // The next test needs the first admin.
    if (outcomes[1]?.status === 'fulfilled') await add(adminEmail, second.actor);
  });

  test('remains when one admin removes both entries at the same time', async () => {
    const second = await addSecondAdmin();
    const first = await entryOfFirstAdmin();
    const outcomes = await Promise.allSettled([remove(first._id), remove(second.entry._id)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    if (outcomes[0]?.status === 'fulfilled') await add(adminEmail, second.actor);
  });
});

describe('a change of the list', () => {
  test('is kept in a history and broadcast', async () => {
    const email = nextEmail();
    const newEmail = nextEmail();
    const entry = await add(email);
    await update(entry._id, newEmail);
    await remove(entry._id);
    const history = await identity.sql(
      `SELECT version, change, user_email, changed_by FROM admin_user_history
       WHERE admin_user_id = $1 ORDER BY version`,
      [entry._id],
    );
    expect(history).toEqual([
      { version: 1, change: 'created', user_email: email, changed_by: admin.accountId },
      { version: 2, change: 'updated', user_email: newEmail, changed_by: admin.accountId },
      { version: 3, change: 'deleted', user_email: newEmail, changed_by: admin.accountId },
    ]);
    await eventually(() =>
      expect(identity.broadcasts.filter(({ channel }) => channel === 'identity.adminsChanged')).toHaveLength(
        3,
      ),
    );
  });
});
