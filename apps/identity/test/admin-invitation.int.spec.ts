import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Actor, adminInvitationContract, identityContract, visitor } from '#libs/contracts';
import { RetentionWorker } from '../retention/retention.worker.js';
import { actorOf, adminEmail, adminPassword, IdentityHarness, type Person } from './identity.harness.js';

let identity: IdentityHarness;
let admin: Person;
let email: string;
let personCount = 0;

const password = 'a password of the invited';
const linkExpired = { code: 'LINK_EXPIRED' };

beforeAll(async () => {
  identity = await IdentityHarness.start();
  admin = actorOf(await identity.login(adminEmail, adminPassword));
});
afterAll(() => identity?.stop());
beforeEach(async () => {
  email = `invited${(personCount += 1)}@example.com`;
  // Resets the counters of mails: all tests together send more than the twenty invitations a day that one admin may send.
  await identity.sql('DELETE FROM recipient_mails');
});

const invite = (to = email, actor: Actor = admin) =>
  identity.client.call(adminInvitationContract.createAdminInvitation, { email: to }, { actor });
const revoke = (id: string) =>
  identity.client.call(adminInvitationContract.deleteAdminInvitation, { id }, { actor: admin });
const list = () => identity.client.call(adminInvitationContract.listAdminInvitations, {}, { actor: admin });
const read = (token: string) =>
  identity.client.call(adminInvitationContract.readAdminInvitation, { token }, { actor: visitor });
const accept = (token: string, actor: Actor) =>
  identity.client.call(adminInvitationContract.acceptAdminInvitation, { token }, { actor });
const join = (token: string) =>
  identity.client.call(
    adminInvitationContract.joinByAdminInvitation,
    { token, password },
    { actor: visitor },
  );

const tokenTo = (address = email) => identity.mailedToken(address, 'adminInvitation');

/** Returns the token of the link. */
async function tokenOfNewInvitation(to = email): Promise<string> {
  await invite(to);
  return tokenTo(to);
}

const roleOf = async ({ sessionId }: { sessionId: string }) =>
  (await identity.findAccountOfSession(sessionId))?.role;

describe('an invitation', () => {
  test('is mailed with a link and listed as pending; its table stores only a hash of the token', async () => {
    const invitation = await invite();
    expect(invitation).toMatchObject({ email, invitedBy: adminEmail, expired: false });
    const lifetime = Date.parse(invitation.expiresAt) - Date.parse(invitation.sentAt);
    expect(lifetime).toBe(7 * 24 * 3_600_000);
    const token = await tokenTo();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await identity.sql('SELECT * FROM admin_invitations'))).not.toContain(token);
    expect(await list()).toContainEqual(invitation);
    expect(await read(token)).toEqual({
      email,
      invitedBy: adminEmail,
      expiresAt: invitation.expiresAt,
      hasAccount: false,
    });
  });

  test('can be sent only by admins, and only to an address that does not belong to an admin yet', async () => {
    const customer = actorOf(await identity.registerVerified(email));
    await expect(invite('other@example.com', customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    // For a moment, the gateway may still treat a former admin as an admin.
    const former = { ...customer, role: 'admin' as const };
    await expect(invite('other@example.com', former)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(invite(adminEmail.toUpperCase())).rejects.toMatchObject({ code: 'DUPLICATE' });
  });

  test('turns a customer with the invited and confirmed address into an admin, once, and is logged', async () => {
    const person = await identity.registerVerified(email.toUpperCase());
    const token = await tokenOfNewInvitation();
    expect((await read(token)).hasAccount).toBe(true);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => accept(token, actorOf(person))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await roleOf(person)).toBe('Admin');
    await expect(accept(token, actorOf(person))).rejects.toMatchObject(linkExpired);
    await expect(read(token)).rejects.toMatchObject(linkExpired);
    expect((await list()).map((pending) => pending.email)).not.toContain(email);
    const log = await identity.sql(
      `SELECT section, change, actor_email FROM audit_entries WHERE lower(name) = $1 ORDER BY id`,
      [email],
    );
    expect(log).toEqual([
      { section: 'adminInvitation', change: 'created', actor_email: adminEmail },
      { section: 'adminUser', change: 'created', actor_email: email.toUpperCase() },
    ]);
  });

  test('cannot be accepted by another account, or by one that has not confirmed the address', async () => {
    const otherPerson = await identity.registerVerified(`other-${email}`);
    const token = await tokenOfNewInvitation();
    await expect(accept(token, actorOf(otherPerson))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await roleOf(otherPerson)).toBe('Customer');
    const squatter = await identity.register(email);
    await expect(accept(token, actorOf(squatter))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await roleOf(squatter)).toBe('Customer');
    // The link still works for the owner of the address.
    expect(await join(token)).toEqual({ email });
    await expect(identity.findAccountOfSession(squatter.sessionId)).resolves.toBeNull();
    await expect(identity.login(email)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const { account } = await identity.login(email, password);
    expect(account).toMatchObject({ role: 'Admin', emailVerified: true });
  });

  test('creates an account with a confirmed address, once', async () => {
    const token = await tokenOfNewInvitation();
    expect(await join(token)).toEqual({ email });
    await expect(join(token)).rejects.toMatchObject(linkExpired);
    const { account } = await identity.login(email, password);
    expect(account).toMatchObject({ email, role: 'Admin', emailVerified: true });
  });

  test('does not set a password for an account that has already confirmed the address', async () => {
    await identity.registerVerified(email);
    await expect(join(await tokenOfNewInvitation())).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    await expect(identity.login(email, password)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  test('is refused if its token is invented, if it was revoked or replaced, or if its sender is no longer an admin', async () => {
    const person = await identity.registerVerified(email);
    const expectRefused = async (token: string) => {
      await expect(read(token)).rejects.toMatchObject(linkExpired);
      await expect(accept(token, actorOf(person))).rejects.toMatchObject(linkExpired);
      await expect(join(token)).rejects.toMatchObject(linkExpired);
    };
    await expectRefused('an invented token');

    const first = await invite();
    const revoked = await tokenTo();
    expect(await revoke(first._id)).toEqual({ _id: first._id });
    await expect(revoke(first._id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expectRefused(revoked);

    identity.clock.advance({ minutes: 2 });
    const replaced = await tokenOfNewInvitation();
    identity.clock.advance({ minutes: 2 });
    const current = await tokenOfNewInvitation();
    expect((await list()).filter((pending) => pending.email === email)).toHaveLength(1);
    await expectRefused(replaced);
    await accept(current, actorOf(person));
    expect(await roleOf(person)).toBe('Admin');

    const outsider = `outsider-${email}`;
    await invite(outsider, { ...actorOf(person), role: 'admin' });
    const tokenFromFormerAdmin = await tokenTo(outsider);
    const entries = await identity.client.call(identityContract.listAdminUsers, {}, { actor: admin });
    const { _id: id } = entries.find(({ userEmail }) => userEmail === email)!;
    await identity.client.call(identityContract.deleteAdminUser, { id }, { actor: admin });
    await expectRefused(tokenFromFormerAdmin);
    expect((await list()).map((pending) => pending.email)).not.toContain(outsider);
    // The invitation stays invalid when its sender becomes an admin again.
    await identity.client.call(identityContract.restoreAdminUser, { id }, { actor: admin });
    await expectRefused(tokenFromFormerAdmin);
    // An invitation also ends when its sender's address on the list of admins is replaced, even if the old address is put back.
    await invite(`another-${email}`, { ...actorOf(person), role: 'admin' });
    const tokenFromMovedAdmin = await tokenTo(`another-${email}`);
    for (const userEmail of [`moved-${email}`, email])
      await identity.client.call(identityContract.updateAdminUser, { id, userEmail }, { actor: admin });
    expect(await roleOf(person)).toBe('Admin');
    await expectRefused(tokenFromMovedAdmin);
  });

  test('ends when its address is added to the list of admins, so that somebody who is removed later cannot use it to return', async () => {
    const person = await identity.registerVerified(email);
    const token = await tokenOfNewInvitation();
    const options = { actor: admin };
    const { _id: id } = await identity.client.call(
      identityContract.createAdminUser,
      { userEmail: email },
      options,
    );
    await identity.client.call(identityContract.deleteAdminUser, { id }, options);
    await expect(accept(token, actorOf(person))).rejects.toMatchObject(linkExpired);
    expect(await roleOf(person)).toBe('Customer');
  });

  test('is mailed to an address at most once a minute and three times a day, and by one admin at most twenty times a day', async () => {
    await invite();
    await expect(invite()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    for (let sent = 1; sent < 3; sent++) {
      identity.clock.advance({ minutes: 2 });
      await invite();
    }
    identity.clock.advance({ minutes: 2 });
    await expect(invite()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    for (let sent = 3; sent < 20; sent++) await invite(`many-${sent}-${email}`);
    await expect(invite(`last-${email}`)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('expires after a week, is then shown as expired, and is deleted a month later', async () => {
    const person = await identity.registerVerified(email);
    const token = await tokenOfNewInvitation();
    identity.clock.advance({ days: 7, seconds: 1 });
    await expect(read(token)).rejects.toMatchObject(linkExpired);
    await expect(accept(token, actorOf(person))).rejects.toMatchObject(linkExpired);
    await expect(join(token)).rejects.toMatchObject(linkExpired);
    expect((await list()).find((pending) => pending.email === email)).toMatchObject({ expired: true });
    identity.clock.advance({ days: 30 });
    await identity.replicas[0]!.app.get(RetentionWorker, { strict: false }).sweep();
    expect(await list()).toEqual([]);
  });
});
