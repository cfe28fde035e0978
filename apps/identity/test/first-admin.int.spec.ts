import { afterEach, describe, expect, test } from '@jest/globals';
import { identityContract } from '#libs/contracts';
import { adminEmail, adminPassword, IdentityHarness } from './identity.harness.js';

let identity: IdentityHarness;
afterEach(() => identity.stop());

const otherPassword = 'another admin password';
const firstAdmin = { account: { email: adminEmail, emailVerified: true, role: 'Admin' } };

describe('the first admin', () => {
  test('is created on start, verified, and can sign in', async () => {
    identity = await IdentityHarness.start();
    await expect(identity.login(adminEmail, adminPassword)).resolves.toMatchObject(firstAdmin);
    await expect(identity.sql(`SELECT version, change, changed_by FROM admin_user_history`)).resolves.toEqual(
      [{ version: 1, change: 'created', changed_by: null }],
    );
  });

  test('is created once by replicas that start together, and all sign with one key', async () => {
    identity = await IdentityHarness.prepare();
    await Promise.all(Array.from({ length: 4 }, () => identity.addReplica()));
    await expect(identity.sql(`SELECT user_email FROM admin_users`)).resolves.toEqual([
      { user_email: adminEmail },
    ]);
    await expect(identity.sql(`SELECT count(*)::int AS accounts FROM accounts`)).resolves.toEqual([
      { accounts: 1 },
    ]);
    const { keys } = await identity.client.call(identityContract.keys, {}, { actor: { role: 'visitor' } });
    expect(keys).toHaveLength(1);
    const signIns = await Promise.all(
      Array.from({ length: 8 }, () => identity.login(adminEmail, adminPassword)),
    );
    const keyIds = signIns.map(
      ({ accessToken }) => JSON.parse(Buffer.from(accessToken.split('.')[0]!, 'base64url').toString()).kid,
    );
    expect(new Set(keyIds)).toEqual(new Set([keys[0]?.kid]));
  });

  test('is not changed by later starts: no password is overwritten, and nobody is added', async () => {
    identity = await IdentityHarness.start();
    await identity.addReplica({ ADMIN_PASSWORD: otherPassword });
    await identity.addReplica({ ADMIN_EMAIL: 'second@example.com', ADMIN_PASSWORD: otherPassword });
    await identity.addReplica({ ADMIN_PASSWORD: undefined });
    await expect(identity.login(adminEmail, adminPassword)).resolves.toMatchObject(firstAdmin);
    await expect(identity.sql(`SELECT user_email FROM admin_users`)).resolves.toEqual([
      { user_email: adminEmail },
    ]);
  });

  test('is not created without a configured password: the start fails, and the error names the setting', async () => {
    identity = await IdentityHarness.prepare();
    await expect(identity.addReplica({ ADMIN_PASSWORD: undefined })).rejects.toThrow(
      `There is no admin yet: choose a password for ${adminEmail}, and set ADMIN_PASSWORD to it.`,
    );
    await expect(identity.sql(`SELECT 1 FROM accounts`)).resolves.toEqual([]);
  });

  test.each([
    ['short', 'Minimum 6 Characters'],
    ['P@ssw0rd1', 'This password is too common'],
    [adminEmail, 'This password is your e-mail address'],
  ])('is not created with the password %s: the error names the setting', async (password, reason) => {
    identity = await IdentityHarness.prepare();
    await expect(identity.addReplica({ ADMIN_PASSWORD: password })).rejects.toThrow(
      `ADMIN_PASSWORD: ${reason}`,
    );
    await expect(identity.sql(`SELECT 1 FROM accounts`)).resolves.toEqual([]);
  });

  test('is not created without a configured address', async () => {
    identity = await IdentityHarness.prepare();
    await identity.addReplica({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
    await expect(identity.sql(`SELECT 1 FROM admin_users`)).resolves.toEqual([]);
  });

  test('can be an existing unverified account, which is reclaimed: its former password and sessions end', async () => {
    identity = await IdentityHarness.prepare();
    const withoutAdmin = await identity.addReplica({ ADMIN_EMAIL: undefined });
    const squatter = await identity.register(adminEmail.toUpperCase(), 'the password of a squatter');
    await withoutAdmin.close();
    await identity.addReplica();
    await expect(identity.findAccountOfSession(squatter.sessionId)).resolves.toBeNull();
    await expect(identity.refresh(squatter.refreshToken)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    await expect(identity.login(adminEmail, 'the password of a squatter')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(identity.login(adminEmail, adminPassword)).resolves.toMatchObject({
      account: { id: squatter.account.id, role: 'Admin', emailVerified: true },
    });
  });

  test('can be an existing verified account, which keeps its password', async () => {
    identity = await IdentityHarness.prepare();
    const withoutAdmin = await identity.addReplica({ ADMIN_EMAIL: undefined });
    const owner = await identity.registerVerified(adminEmail);
    await withoutAdmin.close();
    await identity.addReplica({ ADMIN_PASSWORD: undefined });
    await expect(identity.findAccountOfSession(owner.sessionId)).resolves.toMatchObject({ role: 'Admin' });
    // `registerVerified` has set this password.
    await expect(identity.login(adminEmail, 'a fine password')).resolves.toMatchObject({
      account: { id: owner.account.id, role: 'Admin' },
    });
  });
});

describe('a signing key', () => {
  test('that is stored encrypted needs its secret: with another one, the start fails', async () => {
    const secret = 'a key encryption secret of a decent length';
    identity = await IdentityHarness.start({ KEY_ENCRYPTION_SECRET: secret });
    const [key] = await identity.sql<{ private_key: string }>(`SELECT private_key FROM signing_keys`);
    expect(key?.private_key).not.toContain('PRIVATE KEY');
    await expect(identity.login(adminEmail, adminPassword)).resolves.toMatchObject(firstAdmin);
    await expect(identity.addReplica({ KEY_ENCRYPTION_SECRET: `${secret}!` })).rejects.toThrow(
      'KEY_ENCRYPTION_SECRET',
    );
  });
});
