import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import {
  accountContract,
  identityContract,
  type MailRequest,
  type SignedIn,
  system,
  visitor,
} from '#libs/contracts';
import { mailboxOf } from '#libs/database';
import { eventually } from '#libs/testing';
import { PasswordHasher } from '../credential/password-hasher.js';
import { RetentionWorker } from '../retention/retention.worker.js';
import { actorOf, adminEmail, adminPassword, chrome, IdentityHarness } from './identity.harness.js';

let identity: IdentityHarness;
let hasher: PasswordHasher;
let email: string;
let personCount = 0;

const asVisitor = { actor: visitor };
const password = 'a fine password';
const newPassword = 'another fine password';
const linkExpired = { code: 'LINK_EXPIRED' };

beforeAll(async () => {
  identity = await IdentityHarness.start();
  hasher = identity.replicas[0]!.app.get(PasswordHasher, { strict: false });
});
afterAll(() => identity.stop());
beforeEach(() => {
  email = `person${(personCount += 1)}@example.com`;
});

type Template = MailRequest['template'];
type Mail = Pick<MailRequest, 'to' | 'template' | 'mailId'> & { params: Record<string, string> };

/** Oldest first. */
async function mailsTo(address: string, template?: Template): Promise<Mail[]> {
  const rows = await identity.sql<{ payload: Mail }>(
    `SELECT payload FROM outbox_messages WHERE event = 'mail.requested'
       AND payload->>'to' = $1 AND ($2::text IS NULL OR payload->>'template' = $2) ORDER BY id`,
    [address, template ?? null],
  );
  return rows.map(({ payload }) => payload);
}

const tokenTo = (address: string, template: Template) => identity.mailedToken(address, template);

const verify = (token: string) => identity.client.call(accountContract.verifyEmail, { token }, asVisitor);
const reset = (token: string, replacement = newPassword) =>
  identity.client.call(accountContract.resetPassword, { token, password: replacement }, asVisitor);
const resend = (person: SignedIn) =>
  identity.client.call(accountContract.resendVerification, {}, { actor: actorOf(person) });
const changeEmail = (person: SignedIn, to: string, currentPassword = password) =>
  identity.client.call(
    accountContract.changeEmail,
    { email: to, currentPassword, client: chrome },
    { actor: actorOf(person) },
  );
const changePassword = (person: SignedIn, currentPassword = password) =>
  identity.client.call(
    accountContract.changePassword,
    { currentPassword, password: newPassword, client: chrome },
    { actor: actorOf(person) },
  );
const deleteAccount = (person: SignedIn, currentPassword = password) =>
  identity.client.call(
    accountContract.deleteAccount,
    { currentPassword, client: chrome },
    { actor: actorOf(person) },
  );
const accountNow = async (person: SignedIn) => (await identity.findAccountOfSession(person.sessionId))!;

/** Returns the token in the mail. */
async function requestReset(address: string): Promise<string> {
  const before = (await mailsTo(address, 'resetPassword')).length;
  await identity.client.call(accountContract.forgotPassword, { email: address }, asVisitor);
  await eventually(async () => expect(await mailsTo(address, 'resetPassword')).toHaveLength(before + 1));
  return tokenTo(address, 'resetPassword');
}

/** Opens the link in the mail. */
async function registerVerified(address = email): Promise<SignedIn> {
  const person = await identity.register(address);
  await verify(await tokenTo(address, 'verifyEmail'));
  return { ...person, account: { ...person.account, emailVerified: true } };
}

/** Directly in the database. */
const addToAdminList = (address: string) =>
  identity.sql(
    `INSERT INTO admin_users (id, user_email, email_normalized, version, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $1, 1, now(), now())`,
    [address],
  );

/** The service's own connection pool, to record its queries. */
function connections(): DataSource {
  return identity.replicas[0]!.app.get(DataSource, { strict: false });
}

describe('verifying an address', () => {
  test('registering mails a link whose token is in the fragment; the table of links stores only a hash of the token', async () => {
    const person = await identity.register(email);
    const [mail] = await mailsTo(email);
    expect(mail).toMatchObject({ template: 'verifyEmail', params: { expiresAt: expect.any(String) } });
    expect(mail!.params.link).toMatch(/^https:\/\/site\.example\/verify-email#token=[\w-]{43}$/);
    const token = await tokenTo(email, 'verifyEmail');
    const stored = await identity.sql(`SELECT * FROM account_links WHERE account_id = $1`, [
      person.account.id,
    ]);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await accountNow(person)).emailVerified).toBe(false);
    await expect(verify(token)).resolves.toEqual({ email });
    expect((await accountNow(person)).emailVerified).toBe(true);
    await eventually(() =>
      expect(identity.broadcasts.map(({ channel }) => channel)).toContain('identity.adminsChanged'),
    );
  });

  test('ten simultaneous clicks on one verification link all succeed', async () => {
    const person = await identity.register(email);
    const token = await tokenTo(email, 'verifyEmail');
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(token)));
    expect(new Set(answers.map((answer) => answer.email))).toEqual(new Set([email]));
    expect((await accountNow(person)).emailVerified).toBe(true);
  });

  test('expired and invented links, and links of another kind, are refused alike', async () => {
    const person = await identity.register(email);
    const token = await tokenTo(email, 'verifyEmail');
    await expect(reset(token)).rejects.toMatchObject(linkExpired);
    await expect(verify('x'.repeat(43))).rejects.toMatchObject(linkExpired);
    await expect(verify(await requestReset(email))).rejects.toMatchObject(linkExpired);
    identity.clock.advance({ days: 1 });
    await expect(verify(token)).rejects.toMatchObject(linkExpired);
    expect((await accountNow(person)).emailVerified).toBe(false);
  });

  test('resending is limited to once a minute, and is refused after five mails of any kind in a day', async () => {
    const person = await identity.register(email);
    await expect(resend(person)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfterSeconds: expect.any(Number) },
    });
    for (let sent = 1; sent < 4; sent += 1) {
      identity.clock.advance({ seconds: 61 });
      await expect(resend(person)).resolves.toEqual({ sent: true });
    }
    identity.clock.advance({ seconds: 61 });
    await requestReset(email);
    identity.clock.advance({ seconds: 61 });
    await expect(resend(person)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(changeEmail(person, `victim${personCount}@example.com`)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    // An unverified address gets no mail about a sign-in from elsewhere or a change of the password.
    await identity.login(email, password, { client: { address: '198.51.100.7', userAgent: 'Firefox' } });
    await changePassword(person);
    expect((await mailsTo(email)).map(({ template }) => template)).toEqual([
      ...Array.from({ length: 4 }, () => 'verifyEmail'),
      'resetPassword',
    ]);
  });

  test('nothing is resent for a verified address', async () => {
    const person = await registerVerified();
    identity.clock.advance({ seconds: 61 });
    await expect(resend(person)).resolves.toEqual({ sent: false });
    expect(await mailsTo(email, 'verifyEmail')).toHaveLength(1);
  });
});

describe('a forgotten password', () => {
  test('a request for a link gets the same answer and causes the same queries and hashing, whether or not there is an account', async () => {
    await registerVerified();
    const statements: string[][] = [];
    for (const address of [email, `nobody${personCount}@example.com`]) {
      const dataSource = connections();
      const before = hasher.computationCount;
      const queries: string[] = [];
      const query = dataSource.query.bind(dataSource);
      dataSource.query = (sql: string, parameters?: unknown[], runner?: QueryRunner) => {
        // The mail is created in its own transaction, which the answer does not wait for.
        if (!runner) queries.push(sql.trim().split(/\s+/).slice(0, 3).join(' '));
        return query(sql, parameters, runner);
      };
      const answer = await identity.client.call(
        accountContract.forgotPassword,
        { email: address },
        asVisitor,
      );
      dataSource.query = query;
      expect(answer).toEqual({ accepted: true });
      expect(hasher.computationCount).toBe(before);
      statements.push(queries.filter((sql) => /accounts|account_links|recovery_requests/.test(sql)));
    }
    expect(statements[0]).toEqual(['INSERT INTO recovery_requests']);
    expect(statements[1]).toEqual(statements[0]);
    await eventually(async () =>
      expect(await identity.sql(`SELECT 1 FROM recovery_requests`)).toHaveLength(0),
    );
    expect(await mailsTo(`nobody${personCount}@example.com`)).toEqual([]);
  });

  test('can be reset once with a link; every session ends, and the owner gets a mail', async () => {
    const person = await registerVerified();
    const otherSession = await identity.login(email);
    const token = await requestReset(email);
    identity.broadcasts.length = 0;
    await expect(reset(token)).resolves.toEqual({ email });
    for (const { sessionId } of [person, otherSession])
      await expect(identity.findAccountOfSession(sessionId)).resolves.toBeNull();
    await eventually(() =>
      expect(identity.broadcasts).toContainEqual({
        channel: 'identity.sessionsEnded',
        payload: {
          sessionIds: expect.arrayContaining([person.sessionId, otherSession.sessionId]) as unknown,
        },
      }),
    );
    await expect(reset(token, 'a third fine password')).rejects.toMatchObject(linkExpired);
    await expect(identity.login(email)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(identity.login(email, newPassword)).resolves.toMatchObject({
      account: { emailVerified: true },
    });
    expect(await mailsTo(email, 'passwordChanged')).toHaveLength(1);
  });

  test('two concurrent uses of one link set one password', async () => {
    await registerVerified();
    const token = await requestReset(email);
    const results = await Promise.allSettled([
      reset(token, 'the first of two'),
      reset(token, 'the second of two'),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('using one link invalidates the others; after an hour none works', async () => {
    await registerVerified();
    const first = await requestReset(email);
    identity.clock.advance({ seconds: 61 });
    const second = await requestReset(email);
    await reset(second);
    await expect(reset(first)).rejects.toMatchObject(linkExpired);
    identity.clock.advance({ minutes: 61 });
    const late = await requestReset(email);
    identity.clock.advance({ minutes: 60 });
    await expect(reset(late)).rejects.toMatchObject(linkExpired);
  });

  test('a refused password leaves the link usable', async () => {
    await registerVerified();
    const token = await requestReset(email);
    await expect(reset(token, 'password')).rejects.toMatchObject({ code: 'WEAK_PASSWORD' });
    await expect(reset(token)).resolves.toEqual({ email });
  });

  test('at most three mails an hour are sent, and the link in the first still works after the third', async () => {
    await registerVerified();
    const tokens: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      tokens.push(await requestReset(email));
      identity.clock.advance({ seconds: 61 });
    }
    await identity.client.call(accountContract.forgotPassword, { email }, asVisitor);
    await eventually(async () =>
      expect(await identity.sql(`SELECT 1 FROM recovery_requests`)).toHaveLength(0),
    );
    expect(await mailsTo(email, 'resetPassword')).toHaveLength(3);
    await expect(reset(tokens[0]!)).resolves.toEqual({ email });
  });

  test('a reset for an unverified address takes the account from the person who registered it', async () => {
    const squatter = await identity.register(email);
    const verifyToken = await tokenTo(email, 'verifyEmail');
    const squattersEmail = `squatter${personCount}@example.com`;
    identity.clock.advance({ seconds: 61 });
    await changeEmail(squatter, squattersEmail);
    const changeToken = await tokenTo(squattersEmail, 'changeEmail');
    await reset(await requestReset(email));
    await expect(identity.findAccountOfSession(squatter.sessionId)).resolves.toBeNull();
    await expect(identity.refresh(squatter.refreshToken)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    await expect(identity.login(email, password)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(verify(changeToken)).rejects.toMatchObject(linkExpired);
    // Another link has verified the account, so this one only reports that.
    await expect(verify(verifyToken)).resolves.toEqual({ email });
    const [row] = await identity.sql(`SELECT end_reason FROM sessions WHERE id = $1`, [squatter.sessionId]);
    expect(row).toEqual({ end_reason: 'account-taken-over' });
    await expect(identity.login(email, newPassword)).resolves.toMatchObject({
      account: { id: squatter.account.id, emailVerified: true },
    });
  });

  test('the delay after wrong passwords ends when the password is reset', async () => {
    const { account } = await registerVerified();
    for (let guess = 0; guess < 7; guess += 1) await identity.login(email, 'wrong').catch(() => undefined);
    await expect(identity.login(email)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await reset(await requestReset(email));
    await expect(identity.login(email, newPassword)).resolves.toMatchObject({ account });
  });
});

describe('changing the password', () => {
  test('requires the current one, ends the other sessions, and mails the owner', async () => {
    const person = await registerVerified();
    const otherSession = await identity.login(email);
    await expect(changePassword(person, 'wrong')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field: 'currentPassword', message: 'Incorrect password' }] },
    });
    await expect(changePassword(person)).resolves.toEqual({ endedSessions: 1 });
    await expect(identity.findAccountOfSession(otherSession.sessionId)).resolves.toBeNull();
    await expect(identity.findAccountOfSession(person.sessionId)).resolves.toEqual(person.account);
    await expect(identity.login(email)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(identity.login(email, newPassword)).resolves.toMatchObject({ account: person.account });
    expect(await mailsTo(email, 'passwordChanged')).toHaveLength(1);
  });

  test('slows down guesses of the current one, as signing in does', async () => {
    const person = await registerVerified();
    for (let guess = 0; guess < 10; guess += 1) {
      await expect(changePassword(person, 'wrong')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      if (guess < 9) identity.clock.advance({ minutes: 16 });
    }
    await expect(changePassword(person)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(identity.login(email)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('invalidates earlier links', async () => {
    const person = await registerVerified();
    const token = await requestReset(email);
    await changePassword(person);
    await expect(reset(token)).rejects.toMatchObject(linkExpired);
  });

  test('a repeated request gets the same answer', async () => {
    const person = await registerVerified();
    const input = { currentPassword: password, password: newPassword, client: chrome };
    const call = () =>
      identity.client.call(accountContract.changePassword, input, {
        actor: actorOf(person),
        requestId: '0198c000-0000-7000-8000-00000000c0de',
      });
    await expect(call()).resolves.toEqual({ endedSessions: 0 });
    await expect(call()).resolves.toEqual({ endedSessions: 0 });
    expect(await mailsTo(email, 'passwordChanged')).toHaveLength(1);
  });
});

describe('changing the address', () => {
  /** The same address throughout a test. */
  const newEmail = () => `next${personCount}@example.com`;

  test('takes effect when the link in the new mailbox is opened; the old mailbox gets a mail that shows the new address masked', async () => {
    const person = await registerVerified();
    await changeEmail(person, newEmail());
    expect((await accountNow(person)).email).toBe(email);
    await expect(verify(await tokenTo(newEmail(), 'changeEmail'))).resolves.toEqual({ email: newEmail() });
    expect(await accountNow(person)).toMatchObject({ email: newEmail(), emailVerified: true });
    expect((await mailsTo(email, 'emailChanged')).map(({ params }) => params)).toEqual([
      { newEmailMasked: 'n***@example.com' },
    ]);
    await expect(identity.login(newEmail())).resolves.toMatchObject({ account: { id: person.account.id } });
    await expect(identity.login(email)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  test('of which only the letter case is new sends no mail that the old one no longer signs in', async () => {
    const person = await registerVerified();
    await changeEmail(person, email.toUpperCase());
    await verify(await tokenTo(email.toUpperCase(), 'changeEmail'));
    expect((await accountNow(person)).email).toBe(email.toUpperCase());
    expect(await mailsTo(email, 'emailChanged')).toEqual([]);
  });

  test('only the newest link works, and none that was sent to the old address', async () => {
    const person = await registerVerified();
    const toOld = await requestReset(email);
    await changeEmail(person, `first-${newEmail()}`);
    const first = await tokenTo(`first-${newEmail()}`, 'changeEmail');
    identity.clock.advance({ seconds: 61 });
    await changeEmail(person, newEmail());
    await expect(verify(first)).rejects.toMatchObject(linkExpired);
    await verify(await tokenTo(newEmail(), 'changeEmail'));
    await expect(reset(toOld)).rejects.toMatchObject(linkExpired);
  });

  test('another account’s address gets no mail, and the caller gets the same answer', async () => {
    const person = await registerVerified();
    await identity.register(`taken${personCount}@example.com`);
    await expect(changeEmail(person, `TAKEN${personCount}@example.com`)).resolves.toEqual({ accepted: true });
    expect(await mailsTo(`TAKEN${personCount}@example.com`)).toEqual([]);
  });

  test('an address that was registered meanwhile stays with its account', async () => {
    const person = await registerVerified();
    await changeEmail(person, newEmail());
    await identity.register(newEmail());
    await expect(verify(await tokenTo(newEmail(), 'changeEmail'))).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
    expect((await accountNow(person)).email).toBe(email);
  });

  test('an address that is registered at the same moment belongs to the new account', async () => {
    const person = await registerVerified();
    await changeEmail(person, newEmail());
    const token = await tokenTo(newEmail(), 'changeEmail');
    const registering = identity.replicas[0]!.app.get(DataSource).createQueryRunner();
    await registering.startTransaction();
    await registering.query(
      `INSERT INTO accounts (id, email, email_normalized, email_verified, created_at)
       VALUES (gen_random_uuid(), $1, $1, false, now())`,
      [newEmail()],
    );
    const refused = expect(verify(token)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    await eventually(async () => {
      const waiting = await identity.sql(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting).toEqual([{ query: expect.stringContaining('UPDATE "accounts"') }]);
    });
    await registering.commitTransaction();
    await registering.release();
    await refused;
    expect((await accountNow(person)).email).toBe(email);
  });

  test('also changes an admin’s entry in the list of admins', async () => {
    const admin = await identity.login(adminEmail, adminPassword);
    const moved = `moved-admin${personCount}@example.com`;
    await changeEmail(admin, moved, adminPassword);
    await verify(await tokenTo(moved, 'changeEmail'));
    expect(await accountNow(admin)).toMatchObject({ email: moved, role: 'Admin' });
    expect(await identity.sql(`SELECT user_email FROM admin_users`)).toEqual([{ user_email: moved }]);
    const back = await identity.login(moved, adminPassword);
    identity.clock.advance({ seconds: 61 });
    await changeEmail(back, adminEmail, adminPassword);
    await verify(await tokenTo(adminEmail, 'changeEmail'));
    expect(await accountNow(back)).toMatchObject({ email: adminEmail, role: 'Admin' });
  });

  test('does not change an entry whose address the account never verified', async () => {
    await addToAdminList(email);
    const squatter = await identity.register(email);
    await changeEmail(squatter, newEmail());
    await verify(await tokenTo(newEmail(), 'changeEmail'));
    expect(await accountNow(squatter)).toMatchObject({ email: newEmail(), role: 'Customer' });
    expect(await identity.sql(`SELECT 1 FROM admin_users WHERE user_email = $1`, [email])).toHaveLength(1);
  });
});

describe('deleting an account', () => {
  const events = (accountId: string) =>
    identity.sql<{ payload: unknown }>(
      `SELECT payload FROM outbox_messages WHERE event = 'identity.accountDeleted' AND payload->>'accountId' = $1`,
      [accountId],
    );

  async function countRowsOf(accountId: string): Promise<Record<string, number>> {
    const columns = await identity.sql<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name IN ('account_id', 'invited_by') ORDER BY table_name`,
    );
    const counts: Record<string, number> = {};
    for (const { table, column } of columns) {
      const rows = await identity.sql(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [accountId]);
      counts[table] = rows.length;
    }
    return counts;
  }

  test('requires the password, deletes every row that refers to the id of the account, and publishes an event', async () => {
    const person = await registerVerified();
    const { id } = person.account;
    // Rows in the tables that registering does not fill, except passkeys. The authenticator app is not confirmed, so there is no second factor.
    for (const insert of [
      `linked_identities (id, account_id, issuer, subject, created_at, last_used_at)
         VALUES (gen_random_uuid(), $1, 'google', 'of the deleted', now(), now())`,
      `totp_factors (account_id, secret, created_at, last_step) VALUES ($1, 'ABC', now(), 0)`,
      `recovery_codes (account_id, code_hash, salt) VALUES ($1, 'a hash', 'a salt')`,
      `passkey_challenges (challenge_hash, purpose, account_id, expires_at) VALUES ('of the deleted', 'add', $1, now())`,
      `pending_sign_ins (token_hash, account_id, expires_at) VALUES ('of the deleted', $1, now())`,
      `second_factor_attempts (account_id, failures, last_attempt_at, blocked_until) VALUES ($1, 1, now(), now())`,
      `muted_notifications (account_id, notification) VALUES ($1, 'newOrders')`,
      `admin_invitations (id, email, email_normalized, token_hash, invited_by, sent_at, expires_at)
         VALUES (gen_random_uuid(), 'x@example.com', 'x@example.com', 'of the deleted', $1, now(), now())`,
    ])
      await identity.sql(`INSERT INTO ${insert}`, [id]);
    const { passkeys, ...before } = await countRowsOf(id);
    expect(passkeys).toBe(0);
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
    await expect(deleteAccount(person, 'wrong')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await identity.login(email, 'wrong').catch(() => undefined);
    await expect(deleteAccount(person)).resolves.toEqual({ deleted: true });
    await expect(identity.findAccountOfSession(person.sessionId)).resolves.toBeNull();
    await expect(identity.refresh(person.refreshToken)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    expect(Object.entries(await countRowsOf(id)).filter(([, count]) => count > 0)).toEqual([]);
    expect(await events(person.account.id)).toEqual([{ payload: { accountId: person.account.id, email } }]);
    expect(await mailsTo(email, 'accountDeleted')).toHaveLength(1);
    await expect(identity.register(email)).resolves.not.toMatchObject({ account: { id: person.account.id } });
  });

  test('with an unverified address publishes no address, and sends no mail', async () => {
    const person = await identity.register(email);
    await deleteAccount(person);
    expect(await events(person.account.id)).toEqual([
      { payload: { accountId: person.account.id, email: null } },
    ]);
    expect(await mailsTo(email, 'accountDeleted')).toEqual([]);
  });

  test('is refused to the last admin; any other admin who deletes their account is also removed from the list of admins', async () => {
    const admin = await identity.login(adminEmail, adminPassword);
    await expect(deleteAccount(admin, adminPassword)).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    const second = await registerVerified();
    await addToAdminList(email);
    await expect(deleteAccount(second)).resolves.toEqual({ deleted: true });
    expect(await identity.sql(`SELECT 1 FROM admin_users WHERE user_email = $1`, [email])).toEqual([]);
    expect(
      await identity.sql(`SELECT change FROM admin_user_history WHERE user_email = $1`, [email]),
    ).toEqual([{ change: 'deleted' }]);
  });

  test('two admins who delete their accounts at the same time: one remains', async () => {
    const leaving = await Promise.all(
      ['leaving-a@example.com', 'leaving-b@example.com'].map(async (address) => {
        const person = await registerVerified(address);
        await addToAdminList(address);
        return person;
      }),
    );
    await identity.sql(`UPDATE accounts SET email_verified = false WHERE email = $1`, [adminEmail]);
    const results = await Promise.allSettled(leaving.map((person) => deleteAccount(person)));
    await identity.sql(`UPDATE accounts SET email_verified = true WHERE email = $1`, [adminEmail]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the mails to one mailbox', () => {
  const tooMany = { code: 'RATE_LIMITED', details: { retryAfterSeconds: expect.any(Number) } };
  const minutePasses = () => identity.clock.advance({ seconds: 61 });

  test('are limited when an address is registered and deleted in a loop', async () => {
    for (let round = 0; round < 8; round += 1) await deleteAccount(await identity.register(email));
    expect(await mailsTo(email)).toHaveLength(5);
    const owner = await identity.register(email);
    minutePasses();
    await expect(resend(owner)).rejects.toMatchObject(tooMany);
    identity.clock.advance({ days: 1 });
    await expect(resend(owner)).resolves.toEqual({ sent: true });
    await verify(await tokenTo(email, 'verifyEmail'));
  });

  test('are limited when many accounts request its address as their new one', async () => {
    const victim = `victim${personCount}@example.com`;
    for (let n = 0; n < 3; n += 1) {
      await changeEmail(await registerVerified(`many${personCount}-${n}@example.com`), victim);
      minutePasses();
    }
    await expect(
      changeEmail(await registerVerified(`many${personCount}-3@example.com`), victim),
    ).rejects.toMatchObject(tooMany);
    expect(await mailsTo(victim)).toHaveLength(3);
    // The victim can still register, and gets a mail to verify the address.
    await registerVerified(victim);
  });

  test('are counted together for all spellings of its address', async () => {
    const spelling = (n: number) =>
      n % 2 ? `Mailbox${personCount}+tag${n}@Example.com` : `mailbox${personCount}+${n}@example.com`;
    for (let n = 0; n < 7; n += 1) await identity.register(spelling(n));
    const mails = await Promise.all(Array.from({ length: 7 }, (_, n) => mailsTo(spelling(n))));
    expect(mails.flat()).toHaveLength(5);
  });

  test('are limited for concurrent requests', async () => {
    const victim = `rushed${personCount}@example.com`;
    const accounts = await Promise.all(
      Array.from({ length: 6 }, (_, n) => registerVerified(`rush${personCount}-${n}@example.com`)),
    );
    const results = await Promise.allSettled(accounts.map((account) => changeEmail(account, victim)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', ...Array(5).fill('rejected')]);
    expect(await mailsTo(victim)).toHaveLength(1);
  });

  test('do not report a known browser as new, however often a script without cookies has signed in since', async () => {
    await registerVerified();
    const browser = { ...chrome, device: { id: 'a browser’s device id', isNew: false } };
    const from = (client: typeof chrome) => identity.login(email, password, { client });
    await from(browser);
    await from(browser);
    const mails = await mailsTo(email, 'newSignIn');
    for (let n = 0; n < 60; n += 1)
      await from({ address: '198.51.100.7', userAgent: 'A script', device: { id: `${n}`, isNew: true } });
    await from(browser);
    const after = await mailsTo(email, 'newSignIn');
    // The first sign-in of the script.
    expect(after).toHaveLength(mails.length + 1);
  });

  test('do not report a browser again, however many others are known', async () => {
    await registerVerified();
    await identity.login(email, password);
    await identity.sql(
      `INSERT INTO account_devices (account_id, device_hash, last_seen_at, returned)
       SELECT account_id, sha256(n::text::bytea), now(), true
       FROM (SELECT DISTINCT account_id FROM account_devices) AS accounts, generate_series(1, 60) AS n`,
    );
    const mails = await mailsTo(email, 'newSignIn');
    const client = { ...chrome, userAgent: 'A new browser', device: { id: 'its device id', isNew: false } };
    await identity.login(email, password, { client });
    await identity.login(email, password, { client });
    expect(await mailsTo(email, 'newSignIn')).toHaveLength(mails.length + 1);
  });

  test('about new devices are limited to ten a day', async () => {
    await registerVerified();
    for (let n = 0; n < 12; n += 1) {
      await identity.login(email, password, {
        client: { address: '198.51.100.7', userAgent: `Device ${n}` },
      });
    }
    expect(await mailsTo(email, 'newSignIn')).toHaveLength(10);
  });

  test('are counted without storing its address, and the counts are deleted after 90 days', async () => {
    const countedNow = () => identity.sql<{ line: string }>(`SELECT r::text AS line FROM recipient_mails r`);
    const before = await countedNow();
    await identity.register(email);
    const counted = await countedNow();
    // One for the mailbox, and one for the account that caused the mail.
    expect(counted).toHaveLength(before.length + 2);
    // A plain hash of the address is not stored, either: the address could be found by hashing guesses. `r::text` shows a bytea in hexadecimal
    // digits.
    const plain = [Buffer.from(email), createHash('sha256').update(mailboxOf(email)).digest()];
    for (const text of [email, ...plain.map((bytes) => bytes.toString('hex'))])
      expect(JSON.stringify(counted)).not.toContain(text);
    identity.clock.advance({ days: 91 });
    await identity.replicas[0]!.app.get(RetentionWorker, { strict: false }).sweep();
    expect(await identity.sql(`SELECT 1 FROM recipient_mails`)).toEqual([]);
  });
});

describe('notification e-mails', () => {
  const asSystem = { actor: system };
  const confirmedEmail = async ({ account }: SignedIn) =>
    (await identity.client.call(identityContract.confirmedEmail, { accountId: account.id }, asSystem)).email;
  const adminEmails = () => identity.client.call(identityContract.adminEmails, {}, asSystem);

  test('go only to an account’s verified address', async () => {
    const person = await identity.register(email);
    expect(await confirmedEmail(person)).toBeNull();
    await verify(await tokenTo(email, 'verifyEmail'));
    expect(await confirmedEmail(person)).toBe(email);
    const next = `moved-${email}`;
    await changeEmail(person, next);
    expect(await confirmedEmail(person)).toBe(email);
    await verify(await tokenTo(next, 'changeEmail'));
    expect(await confirmedEmail(person)).toBe(next);
    await deleteAccount(person);
    expect(await confirmedEmail(person)).toBeNull();
  });

  test('go to admins whose account has a verified address, not to every address on the list of admins', async () => {
    await addToAdminList(email);
    const others = await adminEmails();
    expect(others).not.toContain(email);
    await identity.register(email);
    expect(await adminEmails()).toEqual(others);
    await verify(await tokenTo(email, 'verifyEmail'));
    expect(await adminEmails()).toEqual([...others, email]);
  });

  test('use addresses that only our own services can read', async () => {
    const person = await registerVerified();
    const answer = identity.client.call(
      identityContract.confirmedEmail,
      { accountId: person.account.id },
      { actor: actorOf(person) },
    );
    await expect(answer).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
