import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountContract, visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { actorOf, adminEmail, adminPassword, chrome, IdentityHarness } from './identity.harness.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const asVisitor = { actor: visitor };
let identity: IdentityHarness;

beforeAll(async () => {
  identity = await IdentityHarness.start();
});
afterAll(() => identity.stop());

const admin = (...words: string[]) => adminWith({}, ...words);
const adminWith = (env: Record<string, string>, ...words: string[]) =>
  run(['dist/bundle/admin.js', ...words], env);

function run(
  command: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: identity.databaseUrl,
        ARGON2_MEMORY_KIB: '8',
        ARGON2_PASSES: '1',
        ...env,
      },
    });
    const output = { out: '', err: '' };
    child.stdout.on('data', (text) => (output.out += text));
    child.stderr.on('data', (text) => (output.err += text));
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

describe('reset-password', () => {
  test('prints a new password once, ends the sessions and resets the sign-in delay', async () => {
    const before = await identity.login(adminEmail, adminPassword);
    for (let n = 0; n < 6; n += 1) await identity.login(adminEmail, 'forgotten').catch(() => undefined);
    await expect(identity.login(adminEmail, adminPassword)).rejects.toMatchObject({ code: 'RATE_LIMITED' });

    const { code, out, err } = await admin('reset-password');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const password = /^The password of Admin@example\.com is now: (\S{20})\n$/.exec(out)?.[1] ?? '';
    await expect(identity.login(adminEmail, password)).resolves.toMatchObject({ account: { role: 'Admin' } });
    await expect(identity.login(adminEmail, adminPassword)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(identity.findAccountOfSession(before.sessionId)).resolves.toBeNull();
    await expect(identity.refresh(before.refreshToken)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  test('revokes earlier links for a new password or a change of address', async () => {
    const { client } = identity;
    const person = await identity.registerVerified('victim@example.com');
    await client.call(
      accountContract.changeEmail,
      { email: 'intruder@example.com', currentPassword: 'a fine password', client: chrome },
      { actor: actorOf(person) },
    );
    await client.call(accountContract.forgotPassword, { email: person.account.email }, asVisitor);
    const changeToken = await identity.mailedToken('intruder@example.com', 'changeEmail');
    const resetToken = await eventually(() => identity.mailedToken(person.account.email, 'resetPassword'));
    expect((await admin('reset-password', person.account.email)).code).toBe(0);
    await expect(
      client.call(accountContract.verifyEmail, { token: changeToken }, asVisitor),
    ).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await expect(
      client.call(
        accountContract.resetPassword,
        { token: resetToken, password: 'another fine one' },
        asVisitor,
      ),
    ).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
  });

  test('accepts the address in any letter case', async () => {
    const { account } = await identity.register('forgetful@example.com');
    const { code, out } = await admin('reset-password', 'FORGETFUL@example.com');
    expect(code).toBe(0);
    const login = identity.login('forgetful@example.com', out.trim().split(' ').at(-1));
    await expect(login).resolves.toMatchObject({ account });
  });

  test('fails for an unknown address and an unknown command, with an explanation', async () => {
    await expect(admin('reset-password', 'nobody@example.com')).resolves.toMatchObject({
      code: 1,
      out: '',
      err: 'No account has the address nobody@example.com.\n',
    });
    await expect(admin('frobnicate')).resolves.toMatchObject({
      code: 1,
      err: expect.stringContaining('Usage: npm run admin -- reset-password [email]'),
    });
  });
});

test('rotate-keys publishes one next signing key, even if it runs twice, and says when the key will sign', async () => {
  const { code, out } = await admin('rotate-keys');
  expect([code, out]).toEqual([0, expect.stringContaining('signs access tokens after about two minutes')]);
  const stored = () => identity.sql(`SELECT kid, state FROM signing_keys ORDER BY state`);
  const keys = await stored();
  expect(keys).toMatchObject([{ state: 'current' }, { state: 'next' }]);
  const again = await admin('rotate-keys');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('already waiting')]);
  expect(await stored()).toEqual(keys);
});

describe('remove-second-factor', () => {
  test('lets somebody who lost their authenticator app sign in with only the password', async () => {
    const { account } = await identity.registerVerified('lost@example.com');
    await identity.sql(
      `INSERT INTO totp_factors (account_id, secret, created_at, confirmed_at, last_step) VALUES ($1, 'ABC', now(), now(), 0)`,
      [account.id],
    );
    await expect(identity.login(account.email)).rejects.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
    const { code, out } = await admin('remove-second-factor', account.email);
    expect([code, out]).toEqual([0, 'lost@example.com has no second factor any more.\n']);
    expect((await identity.login(account.email)).account.id).toBe(account.id);
    expect((await admin('remove-second-factor', 'nobody@example.com')).code).toBe(1);
  });

  test('says that there was no second factor, and deletes the app’s secret, if setting up the app was never finished', async () => {
    const { account } = await identity.registerVerified('unfinished@example.com');
    await identity.sql(
      `INSERT INTO totp_factors (account_id, secret, created_at, last_step) VALUES ($1, 'ABC', now(), 0)`,
      [account.id],
    );
    const { code, out } = await admin('remove-second-factor', account.email);
    expect([code, out]).toEqual([0, 'unfinished@example.com had no second factor.\n']);
    expect(await identity.sql(`SELECT 1 FROM totp_factors WHERE account_id = $1`, [account.id])).toEqual([]);
  });
});

test('reseal encrypts signing keys and authenticator secrets with the new secret, and refuses a wrong former secret', async () => {
  const { account } = await identity.registerVerified('sealed@example.com');
  await identity.sql(
    `INSERT INTO totp_factors (account_id, secret, created_at, confirmed_at, last_step) VALUES ($1, 'ABC', now(), now(), 0)`,
    [account.id],
  );
  const stored = () =>
    identity.sql<{ text: string }>(
      `SELECT private_key AS text FROM signing_keys UNION ALL SELECT secret FROM totp_factors`,
    );
  const [firstSecret, secondSecret] = [
    'the first secret, of a decent length',
    'the second secret, of a decent length',
  ] as const;
  const missing = await admin('reseal');
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('NEW_KEY_ENCRYPTION_SECRET')]);
  // Secrets that are stored unencrypted are sealed, too.
  const initial = await adminWith({ NEW_KEY_ENCRYPTION_SECRET: firstSecret }, 'reseal');
  expect(initial).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d secrets are sealed with the new secret/),
  });
  const sealedOnce = await stored();
  for (const { text } of sealedOnce) expect(text).toMatch(/^sealed:/);
  const wrong = await adminWith(
    { KEY_ENCRYPTION_SECRET: secondSecret, NEW_KEY_ENCRYPTION_SECRET: firstSecret },
    'reseal',
  );
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('another secret')]);
  expect(await stored()).toEqual(sealedOnce);
  const changed = await adminWith(
    { KEY_ENCRYPTION_SECRET: firstSecret, NEW_KEY_ENCRYPTION_SECRET: secondSecret },
    'reseal',
  );
  expect(changed.code).toBe(0);
  await expect(identity.addReplica({ KEY_ENCRYPTION_SECRET: firstSecret })).rejects.toThrow(
    'KEY_ENCRYPTION_SECRET',
  );
  const { healthPort } = await identity.addReplica({ KEY_ENCRYPTION_SECRET: secondSecret });
  expect((await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status).toBe(200);
});

test('npm run admin refuses reseal, because npm start keeps the identity service running', async () => {
  const { code, err } = await run(['dev/commands/admin.mjs', 'reseal'], {});
  expect([code, err]).toEqual([1, expect.stringContaining('reseal needs a stopped identity service')]);
});

test('npm run admin says that the site is not running if it was killed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'killed-site-'));
  // A site that was killed leaves `stack.json` behind. Nothing listens at the addresses in it.
  const databases = {
    content: 'postgres://127.0.0.1:1/content',
    identity: 'postgres://127.0.0.1:1/identity',
  };
  await writeFile(join(dataDir, 'stack.json'), JSON.stringify({ databases }));
  const { code, err } = await run(['dev/commands/admin.mjs', 'rotate-keys'], { DATA_DIR: dataDir });
  const sentence = `The site with the data in ${dataDir} is not running. Start it with npm start.\n`;
  expect([code, err]).toEqual([1, sentence]);
  await rm(dataDir, { recursive: true });
});
