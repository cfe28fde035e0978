import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import {
  accountContract,
  type Actor,
  auditContracts,
  type CallInput,
  type Contract,
  DomainError,
  identityContract,
  type Output,
  secondFactorContract as contract,
  type SignedIn,
  visitor,
} from '#libs/contracts';
import { eventually } from '#libs/testing';
import { actorOf, adminEmail, adminPassword, chrome, IdentityHarness } from './identity.harness.js';
import { type Deviation, SoftwareAuthenticator } from './software-authenticator.js';

const origin = 'https://site.example';
const password = 'a fine password';

let identity: IdentityHarness;
beforeAll(async () => {
  identity = await IdentityHarness.start({ KEY_ENCRYPTION_SECRET: 'a secret that seals what is stored' });
});
afterAll(() => identity?.stop());

const call = <C extends Contract>(
  called: C,
  input: CallInput<C>,
  actor: Actor = visitor,
): Promise<Output<C>> => identity.client.call(called, input, { actor, requestId: randomUUID() });

const refusal = (code: string) => expect.objectContaining({ code });
/** `ahead`: in time steps. */
const totpCode = (secret: string, ahead = 0) =>
  new TOTP({ secret }).generate({ timestamp: identity.clock.now().getTime() + ahead * 30_000 });

let personCount = 0;
const someone = (): Promise<SignedIn> => identity.registerVerified(`second${(personCount += 1)}@example.com`);

const nextTimeStep = () => identity.clock.advance({ seconds: 30 });

async function addApp(person: SignedIn): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await call(contract.beginTotp, {}, actorOf(person));
  const { recoveryCodes } = await call(contract.confirmTotp, { code: totpCode(secret) }, actorOf(person));
  // The code that set up the app cannot be used again.
  nextTimeStep();
  return { secret, recoveryCodes: recoveryCodes! };
}

async function addPasskey(person: SignedIn): Promise<SoftwareAuthenticator> {
  const key = new SoftwareAuthenticator(origin);
  const { options } = await call(contract.beginPasskey, {}, actorOf(person));
  await call(contract.createPasskey, { passkey: key.create(options), name: 'My phone' }, actorOf(person));
  return key;
}

/** Signs in with the password, which is not enough, and returns what the second step needs. */
async function firstStep({
  account: { email },
}: SignedIn): Promise<{ token: string; methods: readonly string[] }> {
  const failure = await identity.login(email).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toEqual(refusal('SECOND_FACTOR_REQUIRED'));
  return (failure as DomainError).details.secondFactor!;
}

const finish = (token: string, proof: CallInput<typeof contract.finishSignIn>['proof']) =>
  call(contract.finishSignIn, { token, proof, client: chrome });

describe('an authenticator app', () => {
  test('is required from the moment one of its codes is entered, and comes with ten recovery codes', async () => {
    const person = await someone();
    const shown = await call(contract.beginTotp, {}, actorOf(person));
    expect(shown.uri).toContain(`secret=${shown.secret}`);
    expect((await identity.login(person.account.email)).account.id).toBe(person.account.id);
    await expect(call(contract.confirmTotp, { code: '000000' }, actorOf(person))).rejects.toEqual(
      refusal('INVALID_CODE'),
    );
    const { recoveryCodes } = await call(
      contract.confirmTotp,
      { code: totpCode(shown.secret) },
      actorOf(person),
    );
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await firstStep(person)).methods).toEqual(['totp', 'recoveryCode']);
    expect(await call(contract.getSecurity, {}, actorOf(person))).toMatchObject({
      password: true,
      totp: { since: expect.any(String) },
      recoveryCodesLeft: 10,
    });
    await expect(call(contract.beginTotp, {}, actorOf(person))).rejects.toEqual(
      refusal('INVALID_TRANSITION'),
    );
  });

  test.each(['000000', 'aaaaa-aaaaa'])(
    'is not set up by the wrong code %s, and the error names the field',
    async (code) => {
      const person = await someone();
      await addPasskey(person);
      await call(contract.beginTotp, {}, actorOf(person));
      await expect(call(contract.confirmTotp, { code }, actorOf(person))).rejects.toMatchObject({
        code: 'INVALID_CODE',
        details: { fields: [{ field: 'code' }] },
      });
    },
  );

  test('is not set up by a code of a secret that another tab replaces at the same moment', async () => {
    const person = await someone();
    const { secret } = await call(contract.beginTotp, {}, actorOf(person));
    const waiting = async (count: number) =>
      eventually(async () => {
        const found = await identity.sql(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(found).toHaveLength(count);
      });
    const tx = identity.dataSource.createQueryRunner();
    await tx.startTransaction();
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [person.account.id]);
    const replacing = call(contract.beginTotp, {}, actorOf(person));
    await waiting(1);
    const confirming = call(contract.confirmTotp, { code: totpCode(secret) }, actorOf(person)).catch(
      (error: unknown) => error,
    );
    await waiting(2);
    await tx.commitTransaction();
    await tx.release();
    const { secret: current } = await replacing;
    expect(await confirming).toEqual(refusal('INVALID_CODE'));
    const { recoveryCodes } = await call(contract.confirmTotp, { code: totpCode(current) }, actorOf(person));
    expect(recoveryCodes).toHaveLength(10);
  });

  test('completes a sign-in; a code works once, and so does the first step', async () => {
    const person = await someone();
    const { secret } = await addApp(person);
    const first = await firstStep(person);
    const code = totpCode(secret);
    const { sessionId } = await finish(first.token, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(await identity.findAccountOfSession(sessionId)).toEqual(person.account);
    await expect(finish(first.token, { code: totpCode(secret, 1) })).rejects.toEqual(
      refusal('SIGN_IN_EXPIRED'),
    );
    const second = await firstStep(person);
    await expect(finish(second.token, { code })).rejects.toEqual(refusal('INVALID_CODE'));
    await expect(finish(second.token, { code: totpCode(secret, -1) })).rejects.toEqual(
      refusal('INVALID_CODE'),
    );
    await finish(second.token, { code: totpCode(secret, 1) });
  });

  test('two requests with one code start one session', async () => {
    const person = await someone();
    const { secret } = await addApp(person);
    const [firstSignIn, secondSignIn] = [await firstStep(person), await firstStep(person)];
    const code = totpCode(secret);
    const results = await Promise.allSettled([
      finish(firstSignIn.token, { code }),
      finish(secondSignIn.token, { code }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results).toContainEqual({ status: 'rejected', reason: refusal('INVALID_CODE') });
  });

  test('a request that is delivered twice signs in once', async () => {
    const person = await someone();
    const { secret } = await addApp(person);
    const { token } = await firstStep(person);
    const input = { token, proof: { code: totpCode(secret) }, client: chrome };
    const options = { actor: visitor, requestId: randomUUID() };
    const first = await identity.client.call(contract.finishSignIn, input, options);
    const again = await identity.client.call(contract.finishSignIn, input, options);
    expect(again.sessionId).toBe(first.sessionId);
  });

  test('a second attempt that overlaps the first is not slowed down', async () => {
    const person = await someone();
    const { secret } = await addApp(person);
    const { token } = await firstStep(person);
    // Now the clock can go back a second without reaching the time step whose code set up the app.
    nextTimeStep();
    await expect(finish(token, { code: totpCode(secret, 100) })).rejects.toEqual(refusal('INVALID_CODE'));
    // The clock goes back, as if the second attempt had begun before the first was counted.
    identity.clock.advance({ seconds: -1 });
    await finish(token, { code: totpCode(secret) });
    identity.clock.advance({ seconds: 1 });
  });

  test('guessing is slowed down, also for concurrent guesses; after the delay, a right code works', async () => {
    const person = await someone();
    const { secret } = await addApp(person);
    const { token } = await firstStep(person);
    const wrong = totpCode(secret, 100);
    const guesses = Array.from({ length: 20 }, () =>
      finish(token, { code: wrong }).catch((error) => error.code),
    );
    const codes = await Promise.all(guesses);
    expect(codes.filter((code) => code === 'INVALID_CODE')).toHaveLength(5);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(15);
    await expect(finish(token, { code: totpCode(secret) })).rejects.toEqual(refusal('RATE_LIMITED'));
    identity.clock.advance({ minutes: 2 });
    await finish(token, { code: totpCode(secret) });
  });

  test('the first step expires after ten minutes, and when the password changes', async () => {
    const person = await someone();
    const { secret } = await addApp(person);
    const { token } = await firstStep(person);
    identity.clock.advance({ minutes: 11 });
    await expect(finish(token, { code: totpCode(secret) })).rejects.toEqual(refusal('SIGN_IN_EXPIRED'));
    const second = await firstStep(person);
    await call(
      accountContract.changePassword,
      { currentPassword: password, password: 'a finer password', client: chrome },
      actorOf(person),
    );
    await expect(finish(second.token, { code: totpCode(secret) })).rejects.toEqual(
      refusal('SIGN_IN_EXPIRED'),
    );
  });

  test('its secret is sealed, and recovery codes are hashed', async () => {
    const person = await someone();
    const { secret, recoveryCodes } = await addApp(person);
    const stored = JSON.stringify([
      await identity.sql('SELECT * FROM totp_factors'),
      await identity.sql('SELECT reply FROM inbox_entries'),
      await identity.sql(`SELECT encode(code_hash, 'escape') FROM recovery_codes`),
    ]);
    expect(stored).not.toContain(secret);
    expect(recoveryCodes).toHaveLength(10);
    // The hashes are of the codes without their hyphen.
    for (const code of recoveryCodes) expect(stored).not.toMatch(new RegExp(code.replace('-', '-?')));
  });

  test('once it is removed, the password is enough, and recovery codes are deleted', async () => {
    const person = await someone();
    await addApp(person);
    expect(await call(contract.removeTotp, {}, actorOf(person))).toEqual({ removed: true });
    expect((await identity.login(person.account.email)).account.id).toBe(person.account.id);
    expect(await call(contract.getSecurity, {}, actorOf(person))).toMatchObject({
      totp: null,
      recoveryCodesLeft: 0,
    });
  });
});

describe('recovery codes', () => {
  test('each works once; new ones replace the old ones', async () => {
    const person = await someone();
    const { recoveryCodes } = await addApp(person);
    const [first, second] = recoveryCodes as [string, string];
    await finish((await firstStep(person)).token, { code: first.toUpperCase() });
    await expect(finish((await firstStep(person)).token, { code: first })).rejects.toEqual(
      refusal('INVALID_CODE'),
    );
    const renewed = await call(contract.renewRecoveryCodes, {}, actorOf(person));
    await expect(finish((await firstStep(person)).token, { code: second })).rejects.toEqual(
      refusal('INVALID_CODE'),
    );
    await finish((await firstStep(person)).token, { code: renewed.recoveryCodes[0]! });
    expect(await call(contract.getSecurity, {}, actorOf(person))).toMatchObject({ recoveryCodesLeft: 9 });
  });

  test('stay valid if the request for them is repeated, although its answer cannot be repeated', async () => {
    const person = await someone();
    await addApp(person);
    const options = { actor: actorOf(person), requestId: randomUUID() };
    const renew = () => identity.client.call(contract.renewRecoveryCodes, {}, options);
    const { recoveryCodes } = await renew();
    await expect(renew()).rejects.toEqual(refusal('INVALID_TRANSITION'));
    await finish((await firstStep(person)).token, { code: recoveryCodes[0]! });
  });

  test('still work after the hashing parameters were changed', async () => {
    const person = await someone();
    const { recoveryCodes } = await addApp(person);
    const replica = await identity.addReplica({ ARGON2_MEMORY_KIB: '16', ARGON2_PASSES: '3' });
    await identity.replicas[0]!.close();
    await finish((await firstStep(person)).token, { code: recoveryCodes[0]! });
    await identity.addReplica();
    await replica.close();
  });

  test('mail the owner when one is used, whether to sign in or to confirm that it’s them', async () => {
    const person = await someone();
    const { recoveryCodes } = await addApp(person);
    const [first, second] = recoveryCodes as [string, string];
    const mails = async () => {
      const rows = await identity.sql(
        `SELECT 1 FROM outbox_messages WHERE event = 'mail.requested' AND payload->>'to' = $1
           AND payload->'params'->>'what' = 'recoveryCodeUsed'`,
        [person.account.email],
      );
      return rows.length;
    };
    await finish((await firstStep(person)).token, { code: first });
    expect(await mails()).toBe(1);
    const confirm = (code: string) =>
      call(contract.confirmSignIn, { password, code, client: chrome }, actorOf(person));
    await expect(confirm(first)).rejects.toEqual(refusal('INVALID_CODE'));
    expect(await mails()).toBe(1);
    await confirm(second);
    expect(await mails()).toBe(2);
  });

  test('require a second factor', async () => {
    const person = await someone();
    await expect(call(contract.renewRecoveryCodes, {}, actorOf(person))).rejects.toEqual(
      refusal('INVALID_TRANSITION'),
    );
  });
});

describe('a passkey', () => {
  test('signs in on its own, and completes a sign-in with a password', async () => {
    const person = await someone();
    const key = await addPasskey(person);
    const { options } = await call(contract.issuePasskeyChallenge, { purpose: 'signIn' });
    expect(options).toMatchObject({ rpId: 'site.example', userVerification: 'required' });
    const alone = await call(contract.signInByPasskey, { passkey: key.get(options), client: chrome });
    expect(alone.account.id).toBe(person.account.id);
    const { token, methods } = await firstStep(person);
    expect(methods).toEqual(['passkey', 'recoveryCode']);
    const second = await call(contract.issuePasskeyChallenge, { purpose: 'finish', token });
    const { sessionId } = await finish(token, { passkey: key.get(second.options) });
    expect(await identity.findAccountOfSession(sessionId)).toEqual(person.account);
  });

  test('is refused as the twenty-first, even if it was begun before the twentieth was added', async () => {
    const person = await someone();
    const last = new SoftwareAuthenticator(origin);
    await addPasskey(person);
    const { options } = await call(contract.beginPasskey, {}, actorOf(person));
    await identity.sql(
      `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, transports, synced, name, created_at)
       SELECT gen_random_uuid(), account_id, credential_id || n, public_key, counter, transports, synced, name, created_at
       FROM passkeys, generate_series(1, 19) n WHERE account_id = $1`,
      [person.account.id],
    );
    const full = refusal('COLLECTION_FULL');
    await expect(call(contract.beginPasskey, {}, actorOf(person))).rejects.toEqual(full);
    await expect(
      call(contract.createPasskey, { passkey: last.create(options), name: 'One more' }, actorOf(person)),
    ).rejects.toEqual(full);
  });

  test('has a name, is listed, and is renamed and removed only by its owner', async () => {
    const person = await someone();
    await addPasskey(person);
    const { passkeys } = await call(contract.getSecurity, {}, actorOf(person));
    expect(passkeys).toMatchObject([{ name: 'My phone', synced: false, lastUsedAt: null }]);
    const id = passkeys[0]!.id;
    const otherActor = actorOf(await someone());
    const refused = [
      call(contract.renamePasskey, { id, name: 'x' }, otherActor),
      call(contract.deletePasskey, { id }, otherActor),
      call(contract.deletePasskey, { id: 'nonsense' }, actorOf(person)),
    ];
    await Promise.all(refused.map((act) => expect(act).rejects.toEqual(refusal('NOT_FOUND'))));
    expect(await call(contract.renamePasskey, { id, name: ' Key ' }, actorOf(person))).toMatchObject({
      name: 'Key',
    });
    await call(contract.deletePasskey, { id }, actorOf(person));
    expect((await identity.login(person.account.email)).account.id).toBe(person.account.id);
  });

  test.each<[string, Deviation]>([
    ['made for another origin', { origin: 'https://evil.example' }],
    ['made for another site', { rpId: 'evil.example' }],
    ['without user verification', { verified: false }],
    ['with a counter that does not grow (a copy)', { counter: 1 }],
    ['for another challenge', { challenge: Buffer.from('mine').toString('base64url') }],
  ])('%s is refused', async (_name, deviation) => {
    const person = await someone();
    const key = await addPasskey(person);
    const ask = () => call(contract.issuePasskeyChallenge, { purpose: 'signIn' });
    await call(contract.signInByPasskey, { passkey: key.get((await ask()).options), client: chrome });
    const forged = key.get((await ask()).options, deviation);
    await expect(call(contract.signInByPasskey, { passkey: forged, client: chrome })).rejects.toEqual(
      refusal('INVALID_PASSKEY'),
    );
  });

  test('a challenge works once, for its purpose and its person', async () => {
    const person = await someone();
    const key = await addPasskey(person);
    const { options } = await call(contract.issuePasskeyChallenge, { purpose: 'signIn' });
    const passkey = key.get(options);
    await call(contract.signInByPasskey, { passkey, client: chrome });
    await expect(call(contract.signInByPasskey, { passkey, client: chrome })).rejects.toEqual(
      refusal('INVALID_PASSKEY'),
    );
    const confirming = await call(contract.issuePasskeyChallenge, { purpose: 'confirm' }, actorOf(person));
    await expect(
      call(contract.signInByPasskey, { passkey: key.get(confirming.options), client: chrome }),
    ).rejects.toEqual(refusal('INVALID_PASSKEY'));
    // Another person's passkey does not complete this sign-in.
    const otherKey = await addPasskey(await someone());
    const { token } = await firstStep(person);
    const second = await call(contract.issuePasskeyChallenge, { purpose: 'finish', token });
    await expect(finish(token, { passkey: otherKey.get(second.options) })).rejects.toEqual(
      refusal('INVALID_PASSKEY'),
    );
  });

  test.each([
    { id: 'x', response: {} },
    { id: 'x', response: { clientDataJSON: '%%%' } },
  ])('garbage like %j is refused', async (passkey) => {
    await expect(call(contract.signInByPasskey, { passkey, client: chrome })).rejects.toEqual(
      refusal('INVALID_PASSKEY'),
    );
  });
});

describe('a fresh sign-in', () => {
  const stale = (person: SignedIn): Actor => ({ ...actorOf(person), freshUntil: new Date(0).toISOString() });

  test.each(['beginTotp', 'removeTotp', 'renewRecoveryCodes', 'beginPasskey'] as const)(
    'is required for %s by the service itself',
    async (name) => {
      const person = await someone();
      await expect(call(contract[name], {}, stale(person))).rejects.toEqual(
        refusal('FRESH_SIGN_IN_REQUIRED'),
      );
    },
  );

  test('is required to change the list of admins', async () => {
    const admin = stale(await identity.login(adminEmail, adminPassword));
    await expect(
      call(identityContract.createAdminUser, { userEmail: 'new@example.com' }, admin),
    ).rejects.toEqual(refusal('FRESH_SIGN_IN_REQUIRED'));
  });

  test('is made with a passkey, or with the password and, if there is an app, a code', async () => {
    const person = await someone();
    const confirm = (proof: Omit<CallInput<typeof contract.confirmSignIn>, 'client'>) =>
      call(contract.confirmSignIn, { ...proof, client: chrome }, actorOf(person));
    const field = (name: string) =>
      expect.objectContaining({
        code: 'INVALID_INPUT',
        details: { fields: [expect.objectContaining({ field: name })] },
      });
    await expect(confirm({ password: 'wrong' })).rejects.toEqual(field('password'));
    await expect(confirm({})).rejects.toEqual(field('password'));
    const before = await identity.authenticatedAt(person.sessionId);
    identity.clock.advance({ minutes: 1 });
    await confirm({ password });
    expect((await identity.authenticatedAt(person.sessionId)).getTime()).toBeGreaterThan(before.getTime());

    const { secret } = await addApp(person);
    await expect(confirm({ password })).rejects.toEqual(field('code'));
    await expect(confirm({ password, code: '000000' })).rejects.toEqual(refusal('INVALID_CODE'));
    await confirm({ password, code: totpCode(secret) });

    const key = await addPasskey(person);
    const { options } = await call(contract.issuePasskeyChallenge, { purpose: 'confirm' }, actorOf(person));
    await confirm({ passkey: key.get(options) });
  });

  test('with only the password is refused to somebody who has a passkey but no app, with a message that names what else is needed', async () => {
    const person = await someone();
    await addPasskey(person);
    const message = 'Use your passkey, or enter a recovery code';
    await expect(
      call(contract.confirmSignIn, { password, client: chrome }, actorOf(person)),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { fields: [{ field: 'code', message }] } });
  });

  test('is made once by a request that is delivered twice', async () => {
    const person = await someone();
    const actor = actorOf(person);
    const { secret } = await addApp(person);
    const key = await addPasskey(person);
    const { options } = await call(contract.issuePasskeyChallenge, { purpose: 'confirm' }, actor);
    for (const proof of [{ password, code: totpCode(secret) }, { passkey: key.get(options) }]) {
      const deliver = (requestId: string) =>
        identity.client.call(contract.confirmSignIn, { ...proof, client: chrome }, { actor, requestId });
      const requestId = randomUUID();
      expect(await deliver(requestId)).toEqual({ confirmed: true });
      const confirmedAt = await identity.authenticatedAt(person.sessionId);
      nextTimeStep();
      expect(await deliver(requestId)).toEqual({ confirmed: true });
      expect(await identity.authenticatedAt(person.sessionId)).toEqual(confirmedAt);
      // In another request, the code or the challenge is used up.
      await expect(deliver(randomUUID())).rejects.toEqual(
        refusal('code' in proof ? 'INVALID_CODE' : 'INVALID_PASSKEY'),
      );
    }
  });
});

describe('changes of the account', () => {
  const changes = {
    changeEmail: (person: SignedIn) => ({ email: `moved-${person.account.email}` }),
    changePassword: () => ({ password: 'another fine password' }),
    deleteAccount: () => ({}),
  } as const;
  const answers = {
    changeEmail: { accepted: true },
    changePassword: { endedSessions: 0 },
    deleteAccount: { deleted: true },
  };
  const change = (name: keyof typeof changes, person: SignedIn) =>
    call(
      accountContract[name],
      { ...changes[name](person), currentPassword: password, client: chrome } as never,
      actorOf(person),
    );
  // The service looks up the age of the sign-in itself: the actor's `freshUntil` still says that it is fresh.
  const letSignInAge = () => identity.clock.advance({ minutes: 16 });
  const names = Object.keys(changes) as (keyof typeof changes)[];

  test.each(names)(
    '%s: an old sign-in has to be confirmed with the authenticator app first',
    async (name) => {
      const person = await someone();
      const { secret } = await addApp(person);
      letSignInAge();
      await expect(change(name, person)).rejects.toEqual(refusal('FRESH_SIGN_IN_REQUIRED'));
      await call(
        contract.confirmSignIn,
        { password, code: totpCode(secret), client: chrome },
        actorOf(person),
      );
      await expect(change(name, person)).resolves.toEqual(answers[name]);
    },
  );

  test.each(names)('%s: an old sign-in has to be confirmed with the passkey first', async (name) => {
    const person = await someone();
    const key = await addPasskey(person);
    letSignInAge();
    await expect(change(name, person)).rejects.toEqual(refusal('FRESH_SIGN_IN_REQUIRED'));
    const { options } = await call(contract.issuePasskeyChallenge, { purpose: 'confirm' }, actorOf(person));
    await call(contract.confirmSignIn, { passkey: key.get(options), client: chrome }, actorOf(person));
    await expect(change(name, person)).resolves.toEqual(answers[name]);
  });

  test.each(names)('%s: without a second factor the password is enough', async (name) => {
    const person = await someone();
    letSignInAge();
    await expect(change(name, person)).resolves.toEqual(answers[name]);
  });

  test('a recent sign-in does not replace the password', async () => {
    const person = await someone();
    await addApp(person);
    await expect(
      call(accountContract.deleteAccount, { currentPassword: 'wrong', client: chrome }, actorOf(person)),
    ).rejects.toEqual(refusal('INVALID_INPUT'));
  });
});

describe('the second factor of admins', () => {
  test('can be required only by an admin who has one; other admins regain their rights when they add one', async () => {
    const admin = await identity.login(adminEmail, adminPassword);
    const setRequired = (required: boolean) =>
      call(contract.setAdminRequirement, { required }, actorOf(admin));
    await expect(setRequired(true)).rejects.toEqual(refusal('SECOND_FACTOR_MISSING'));
    await addApp(admin);
    expect(await setRequired(true)).toEqual({ required: true });
    const otherAdmin = await someone();
    const entry = await call(
      identityContract.createAdminUser,
      { userEmail: otherAdmin.account.email },
      actorOf(admin),
    );
    expect(await identity.findAccountOfSession(otherAdmin.sessionId)).toMatchObject({
      role: 'Admin',
      needsSecondFactor: true,
    });
    await addPasskey(otherAdmin);
    expect(await identity.findAccountOfSession(otherAdmin.sessionId)).not.toHaveProperty('needsSecondFactor');
    expect(await call(contract.getSecurity, {}, actorOf(otherAdmin))).toMatchObject({ required: true });
    expect(await setRequired(false)).toEqual({ required: false });
    const [change] = await call(auditContracts.identity, { section: 'adminRequirement' }, actorOf(admin));
    expect(change).toMatchObject({ before: { required: true }, after: { required: false } });
    expect(await identity.findAccountOfSession(admin.sessionId)).not.toHaveProperty('needsSecondFactor');
    await call(identityContract.deleteAdminUser, { id: entry._id }, actorOf(admin));
    // The gateway remembers a role for a second, so a former admin's call may still arrive as an admin's.
    const formerAdmin: Actor = { ...actorOf(otherAdmin), role: 'admin' };
    await expect(call(contract.setAdminRequirement, { required: true }, formerAdmin)).rejects.toEqual(
      refusal('FORBIDDEN'),
    );
  });
});
