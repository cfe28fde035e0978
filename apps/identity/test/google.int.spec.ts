import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Actor, googleContract, type Output, type SignedIn, visitor } from '#libs/contracts';
import type { GoogleIdentity } from '../../../dev/stand-ins/google/model.js';
import { GoogleStandIn } from '../../../dev/stand-ins/google/client.js';
import { eventually } from '#libs/testing';
import { GoogleFlowRepository } from '../google/google-flow.repository.js';
import { actorOf, adminEmail, adminPassword, chrome, IdentityHarness } from './identity.harness.js';

const client = {
  id: 'the-site',
  secret: 'the secret of the site',
  redirectUris: ['https://site.example/auth/google/callback', 'https://other.example/auth/google/callback'],
};

let google: GoogleStandIn;
let identity: IdentityHarness;
beforeAll(async () => {
  google = await GoogleStandIn.start({ client });
  identity = await IdentityHarness.start({
    GOOGLE_CLIENT_ID: client.id,
    GOOGLE_CLIENT_SECRET: client.secret,
    GOOGLE_ISSUER: google.url,
    // The longest possible, because a busy machine may take a while to answer.
    GOOGLE_TIMEOUT_MS: '6000',
  });
});
afterAll(async () => {
  await identity?.stop();
  await google?.stop();
});

type Flow = Output<typeof googleContract.begin>;

const begin = (
  browser?: string,
  actor: Actor = visitor,
  purpose: 'signIn' | 'confirm' = 'signIn',
): Promise<Flow> =>
  identity.client.call(googleContract.begin, { purpose, returnTo: '/my-order', browser }, { actor });

const finish = (callback: URL, browser: string | undefined, requestId: string = randomUUID()) =>
  identity.client.call(
    googleContract.finish,
    { query: callback.search.slice(1), browser, client: chrome },
    { actor: visitor, requestId },
  );

async function signIn(person: GoogleIdentity): Promise<SignedIn> {
  const flow = await begin();
  const { signedIn } = await finish(await google.choose(flow.url, person), flow.browser);
  return signedIn!;
}

const refusal = (code: string) => expect.objectContaining({ code });
let personCount = 0;
const newPerson = (more: Partial<GoogleIdentity> = {}): GoogleIdentity & { subject: string } => {
  personCount += 1;
  return {
    email: `person${personCount}@gmail.example`,
    name: `Person ${personCount}`,
    subject: `subject-${personCount}`,
    ...more,
  };
};

describe('signing in with Google', () => {
  test('requests a code with PKCE (S256), a state and a nonce', async () => {
    const { url } = await begin();
    const parameters = Object.fromEntries(new URL(url).searchParams);
    expect(parameters).toMatchObject({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: 'https://site.example/auth/google/callback',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    for (const secret of ['state', 'nonce', 'code_challenge'])
      expect(parameters[secret]!.length).toBeGreaterThan(40);
  });

  test('creates an account with the name and the verified address, and later finds it by the subject', async () => {
    const ada = newPerson({ name: 'Ada\u0000\r\nLovelace' });
    const flow = await begin();
    const first = await finish(await google.choose(flow.url, ada), flow.browser);
    expect(first.returnTo).toBe('/my-order');
    expect(first.signedIn!.account).toMatchObject({
      email: ada.email,
      emailVerified: true,
      name: 'Ada Lovelace',
      role: 'Customer',
    });
    // The person's address at Google has changed.
    const again = await signIn({ ...ada, email: 'moved@gmail.example' });
    expect(again.account).toEqual(first.signedIn!.account);
  });

  test('an address that Google has not verified creates an unverified account', async () => {
    const { account } = await signIn(newPerson({ emailVerified: false }));
    expect(account.emailVerified).toBe(false);
  });

  test('a request that is delivered twice signs in once', async () => {
    const flow = await begin();
    const callback = await google.choose(flow.url, newPerson());
    const requestId = randomUUID();
    const first = await finish(callback, flow.browser, requestId);
    const second = await finish(callback, flow.browser, requestId);
    expect(second.signedIn!.sessionId).toBe(first.signedIn!.sessionId);
  });

  test('two tabs of a browser can sign in at the same time', async () => {
    const firstFlow = await begin();
    const secondFlow = await begin(firstFlow.browser);
    const [firstCallback, secondCallback] = [
      await google.choose(firstFlow.url, newPerson()),
      await google.choose(secondFlow.url, newPerson()),
    ];
    const signedIn = { account: { emailVerified: true, role: 'Customer' } };
    expect(await finish(secondCallback, firstFlow.browser)).toMatchObject({ signedIn });
    expect(await finish(firstCallback, firstFlow.browser)).toMatchObject({ signedIn });
  });

  test('cancelling at Google is reported', async () => {
    const flow = await begin();
    const callback = await google.choose(flow.url, 'cancel');
    await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('SIGN_IN_CANCELLED'));
  });
});

describe('existing accounts', () => {
  test('a verified account with the address is linked: both ways sign in to it, and its session continues', async () => {
    const owner = await identity.registerVerified('joined@gmail.example');
    const { account } = await signIn(newPerson({ email: 'Joined@gmail.example' }));
    expect(account.id).toBe(owner.account.id);
    expect((await identity.login('joined@gmail.example')).account.id).toBe(owner.account.id);
    expect(await identity.findAccountOfSession(owner.sessionId)).toMatchObject({ id: owner.account.id });
  });

  test('a squatted account is given to the owner of the address: name, password, session and linked identity of the squatter are removed', async () => {
    const email = 'squatted@gmail.example';
    const squatter = newPerson({ email, emailVerified: false });
    const planted = await signIn(squatter);
    await identity.sql(
      `INSERT INTO credentials (account_id, password_hash, changed_at)
       SELECT $1, c.password_hash, now() FROM credentials c JOIN accounts a ON a.id = c.account_id WHERE a.email = $2`,
      [planted.account.id, adminEmail],
    );
    const byPassword = await identity.login(email, adminPassword);
    expect(byPassword.account.id).toBe(planted.account.id);
    const person = newPerson({ email });
    const owner = await signIn(person);
    expect(owner.account).toMatchObject({ id: planted.account.id, emailVerified: true, name: person.name });
    for (const { sessionId } of [planted, byPassword])
      expect(await identity.findAccountOfSession(sessionId)).toBeNull();
    await expect(identity.login(email, adminPassword)).rejects.toEqual(refusal('INVALID_CREDENTIALS'));
    await expect(signIn(squatter)).rejects.toEqual(refusal('ADDRESS_UNVERIFIED'));
  });

  test('when the owner of an address signs in with Google, an account that somebody else registered with that address becomes the owner’s, and the other person loses access', async () => {
    const squatter = await identity.register('early@gmail.example');
    const { account } = await signIn(newPerson({ email: 'early@gmail.example' }));
    expect(account).toMatchObject({ id: squatter.account.id, emailVerified: true });
    expect(await identity.findAccountOfSession(squatter.sessionId)).toBeNull();
    await expect(identity.login('early@gmail.example')).rejects.toEqual(refusal('INVALID_CREDENTIALS'));
  });

  test.each(['verified', 'not verified'] as const)(
    'an account that is %s is not linked to an identity whose address Google has not verified',
    async (state) => {
      const email = `held-${state.replace(' ', '-')}@gmail.example`;
      const owner =
        state === 'verified' ? await identity.registerVerified(email) : await identity.register(email);
      const intruder = newPerson({ email, emailVerified: false });
      await expect(signIn(intruder)).rejects.toEqual(refusal('ADDRESS_UNVERIFIED'));
      expect(await identity.findAccountOfSession(owner.sessionId)).toEqual(owner.account);
    },
  );

  test('another subject with the address of a linked account is refused if Google has not verified the address', async () => {
    const owner = newPerson();
    const { account } = await signIn(owner);
    await expect(
      signIn({ email: owner.email, subject: 'somebody-else', emailVerified: false }),
    ).rejects.toEqual(refusal('ADDRESS_UNVERIFIED'));
    expect((await signIn(owner)).account.id).toBe(account.id);
  });

  test('an admin’s address that Google has not verified makes nobody an admin', async () => {
    await expect(
      signIn({ email: 'admin@example.com', subject: 'no-admin', emailVerified: false }),
    ).rejects.toEqual(refusal('ADDRESS_UNVERIFIED'));
    const admin = await signIn({ email: 'admin@example.com', subject: 'the-admin' });
    expect(admin.account.role).toBe('Admin');
  });
});

describe('gateways', () => {
  /** Registers an address, signs in its owner with Google, and returns the position of the broadcast that ends the registration's session. */
  async function reclaim(email: string): Promise<number> {
    const { sessionId } = await identity.register(email);
    await signIn(newPerson({ email }));
    return eventually(() => {
      const at = identity.broadcasts.findIndex(({ payload }) => {
        const { sessionIds } = payload;
        return Array.isArray(sessionIds) && sessionIds.includes(sessionId);
      });
      if (at < 0) throw new Error('The session has not ended');
      return at;
    });
  }

  test('are not told to forget all sessions by a sign-in that verifies no address', async () => {
    const known = newPerson();
    await signIn(known);
    const firstPosition = await reclaim('forgotten@gmail.example');
    await signIn(known);
    const secondPosition = await reclaim('forgotten-too@gmail.example');
    const between = identity.broadcasts
      .slice(firstPosition + 1, secondPosition)
      .map(({ channel }) => channel);
    // This one is the first reclaim's, and makes gateways forget all cached sessions. The sign-in between the reclaims has added none.
    expect(between).toEqual(['identity.adminsChanged']);
  });
});

describe('attacks', () => {
  async function atCallback(more: Partial<GoogleIdentity> = {}) {
    const person = newPerson(more);
    const flow = await begin();
    return { person, flow, callback: await google.choose(flow.url, person) };
  }

  const edited = (url: URL, change: (parameters: URLSearchParams) => void) => {
    const copy = new URL(url);
    change(copy.searchParams);
    return copy;
  };

  test.each<[string, (parameters: URLSearchParams) => void, string]>([
    ['another state', (parameters) => parameters.set('state', 'x'.repeat(43)), 'SIGN_IN_EXPIRED'],
    ['no state', (parameters) => parameters.delete('state'), 'SIGN_IN_EXPIRED'],
    ['two states', (parameters) => parameters.append('state', 'y'), 'SIGN_IN_REFUSED'],
    ['another code', (parameters) => parameters.set('code', 'z'.repeat(43)), 'SIGN_IN_REFUSED'],
    ['no code', (parameters) => parameters.delete('code'), 'SIGN_IN_REFUSED'],
    [
      'the answer of another issuer (mix-up)',
      (parameters) => parameters.set('iss', 'https://evil.example'),
      'SIGN_IN_REFUSED',
    ],
    ['an answer that names no issuer', (parameters) => parameters.delete('iss'), 'SIGN_IN_REFUSED'],
  ])('%s is refused', async (_name, change, code) => {
    const { flow, callback } = await atCallback();
    await expect(finish(edited(callback, change), flow.browser)).rejects.toEqual(refusal(code));
  });

  test.each<[string, Parameters<GoogleStandIn['misbehave']>[1]]>([
    ['another nonce', { claims: { nonce: 'of another sign-in' } }],
    ['no nonce', { claims: { nonce: null } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'another-site' } }],
    [
      'another audience among several',
      { claims: { aud: ['the-site', 'another-site'], azp: 'another-site' } },
    ],
    ['an expired ID token', { claims: { exp: Math.floor(Date.now() / 1000) - 3600 } }],
    ['no subject', { claims: { sub: null } }],
    ['no address', { claims: { email: null } }],
    ['an invalid address', { claims: { email: 'a@b\r\nBcc: c@d' } }],
    ['a signature by another key', { signature: 'foreign' }],
    ['no signature (alg none)', { signature: 'none' }],
  ])('%s is refused, and no identity is linked', async (_name, how) => {
    const { person, flow, callback } = await atCallback();
    await google.misbehave(person.subject, how);
    await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('SIGN_IN_REFUSED'));
    expect(
      await identity.sql(`SELECT 1 FROM linked_identities WHERE subject = $1`, [person.subject]),
    ).toEqual([]);
  });

  test('a code works once, here and at the provider', async () => {
    const { person, flow, callback } = await atCallback();
    await finish(callback, flow.browser);
    await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('SIGN_IN_EXPIRED'));
    // The thief uses the stolen code in a sign-in of their own, which has another PKCE verifier. The code is also used up at the provider.
    const thief = await begin();
    const ownCallback = await google.choose(thief.url, newPerson());
    const injected = edited(ownCallback, (parameters) =>
      parameters.set('code', callback.searchParams.get('code')!),
    );
    await expect(finish(injected, thief.browser)).rejects.toEqual(refusal('SIGN_IN_REFUSED'));
    expect((await signIn(person)).account.email).toBe(person.email);
  });

  test('an unused code does not work in another person’s sign-in', async () => {
    const victim = await atCallback();
    const thief = await begin();
    const ownCallback = await google.choose(thief.url, newPerson());
    const code = victim.callback.searchParams.get('code')!;
    const injected = edited(ownCallback, (parameters) => parameters.set('code', code));
    await expect(finish(injected, thief.browser)).rejects.toEqual(refusal('SIGN_IN_REFUSED'));
  });

  test('the callback in another browser signs nobody in (login CSRF)', async () => {
    const attacker = await atCallback();
    const victim = await begin();
    for (const browser of [undefined, victim.browser, 'guessed'])
      await expect(finish(attacker.callback, browser)).rejects.toEqual(refusal('SIGN_IN_EXPIRED'));
  });

  test('the provider refuses a sign-in without a code challenge, or with a plain one (PKCE downgrade)', async () => {
    const flow = await begin();
    const without = edited(new URL(flow.url), (parameters) => {
      parameters.delete('code_challenge');
      parameters.delete('code_challenge_method');
    });
    const plain = edited(new URL(flow.url), (parameters) => parameters.set('code_challenge_method', 'plain'));
    for (const url of [without, plain]) {
      const callback = await google.choose(url.href, newPerson());
      expect(callback.searchParams.get('error')).toBe('invalid_request');
      // Finishing uses up a state, so each callback gets a new one.
      const again = await begin(flow.browser);
      callback.searchParams.set('state', new URL(again.url).searchParams.get('state')!);
      await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('SIGN_IN_REFUSED'));
    }
  });

  test('an attacker’s own challenge does not match the verifier', async () => {
    const flow = await begin();
    const url = edited(new URL(flow.url), (parameters) => parameters.set('code_challenge', 'A'.repeat(43)));
    const callback = await google.choose(url.href, newPerson());
    await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('SIGN_IN_REFUSED'));
  });

  test('a code for another redirect URI of the same client is refused', async () => {
    const flow = await begin();
    const url = edited(new URL(flow.url), (parameters) =>
      parameters.set('redirect_uri', 'https://other.example/auth/google/callback'),
    );
    const callback = await google.choose(url.href, newPerson());
    expect(callback.host).toBe('other.example');
    await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('SIGN_IN_REFUSED'));
  });

  test('a sign-in may take almost a quarter of an hour, and is refused afterwards', async () => {
    const [inTime, late] = [await atCallback(), await atCallback()];
    identity.clock.advance({ minutes: 15, seconds: -1 });
    expect((await finish(inTime.callback, inTime.flow.browser)).signedIn).not.toBeNull();
    identity.clock.advance({ seconds: 1 });
    await expect(finish(late.callback, late.flow.browser)).rejects.toEqual(refusal('SIGN_IN_EXPIRED'));
    // Back to the time of the stand-in, whose clock has not moved: later tests compare the two.
    identity.clock.advance({ minutes: -15 });
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'a sign-in never redirects to %s',
    async (returnTo) => {
      const flow = await identity.client.call(
        googleContract.begin,
        { purpose: 'signIn', returnTo },
        { actor: visitor },
      );
      const done = await finish(await google.choose(flow.url, newPerson()), flow.browser);
      expect(done.returnTo).toBe('/dashboard');
    },
  );
});

describe('a fresh sign-in with Google', () => {
  const authenticatedAt = async (sessionId: string) => (await identity.authenticatedAt(sessionId)).getTime();

  test('makes the session fresh if its holder signs in at Google, and is refused if somebody else does', async () => {
    const person = newPerson();
    const signedIn = await signIn(person);
    await identity.sql(`UPDATE sessions SET authenticated_at = now() - interval '1 day'`);
    const flow = await begin(undefined, actorOf(signedIn), 'confirm');
    expect(new URL(flow.url).searchParams.get('max_age')).toBe('0');
    const wrong = await google.choose(flow.url, newPerson());
    await expect(finish(wrong, flow.browser)).rejects.toEqual(refusal('SIGN_IN_REFUSED'));
    expect(await authenticatedAt(signedIn.sessionId)).toBeLessThan(Date.now() - 3_600_000);
    const again = await begin(flow.browser, actorOf(signedIn), 'confirm');
    const callback = await google.choose(again.url, person);
    const requestId = randomUUID();
    const done = await finish(callback, flow.browser, requestId);
    expect(done).toEqual({ returnTo: '/my-order', signedIn: null });
    expect(await authenticatedAt(signedIn.sessionId)).toBeGreaterThan(Date.now() - 3_600_000);
    expect(await finish(callback, flow.browser, requestId)).toEqual(done);
  });

  test('is refused if the sign-in at Google is old', async () => {
    const person = newPerson();
    const signedIn = await signIn(person);
    const flow = await begin(undefined, actorOf(signedIn), 'confirm');
    await google.misbehave(person.subject, { claims: { auth_time: Math.floor(Date.now() / 1000) - 3600 } });
    const callback = await google.choose(flow.url, person);
    await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('SIGN_IN_REFUSED'));
  });

  test('is refused to a visitor, who has no session', async () => {
    await expect(begin(undefined, visitor, 'confirm')).rejects.toEqual(refusal('UNAUTHENTICATED'));
  });
});

describe('an unavailable provider', () => {
  test('that is slow is reported as UNAVAILABLE after the timeout', async () => {
    const person = newPerson();
    const flow = await begin();
    const callback = await google.choose(flow.url, person);
    await google.misbehave(person.subject, { delayMs: 10_000, times: 1 });
    await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('UNAVAILABLE'));
  });

  const sendErrorPage = (response: ServerResponse) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  const sendHalf = (response: ServerResponse, then: () => void = () => undefined) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write('{', then);
  const breakOff = (response: ServerResponse) => sendHalf(response, () => response.destroy());

  test.each([
    ['token endpoint answers with an error page', '/token', sendErrorPage],
    ['keys are an error page', '/jwks', sendErrorPage],
    ['connection fails in the middle of an answer', '/token', breakOff],
    ['answer does not end before the timeout', '/token', sendHalf],
  ])('whose %s is reported as UNAVAILABLE', async (_name, path, answer) => {
    // After an hour, Google's configuration is read again, and with it the keys.
    identity.clock.advance({ minutes: 61 });
    const flow = await begin();
    const callback = await google.choose(flow.url, newPerson());
    const failing = createServer((_request, response) => void answer(response));
    await new Promise<void>((listening) => failing.listen(0, '127.0.0.1', listening));
    const { port } = failing.address() as AddressInfo;
    const actualFetch = globalThis.fetch;
    const redirected = jest.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      return pathname === path
        ? actualFetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(1_000) })
        : actualFetch(input, init);
    });
    try {
      await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('UNAVAILABLE'));
    } finally {
      redirected.mockRestore();
      failing.closeAllConnections();
      failing.close();
    }
  });

  test('that is down is reported as UNAVAILABLE, and its last known configuration is used', async () => {
    const person = newPerson();
    const flow = await begin();
    const callback = await google.choose(flow.url, person);
    await google.setOutage(true);
    try {
      identity.clock.advance({ minutes: 61 });
      // This sign-in began too long ago, so it is refused without asking Google.
      await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('SIGN_IN_EXPIRED'));
      // Google's endpoints are remembered for more than an hour during an outage.
      const next = await begin(flow.browser);
      callback.searchParams.set('state', new URL(next.url).searchParams.get('state')!);
      await expect(finish(callback, flow.browser)).rejects.toEqual(refusal('UNAVAILABLE'));
    } finally {
      await google.setOutage(false);
    }
  });
});

test('without a configured client, beginning and finishing a sign-in fail with NOT_FOUND', async () => {
  const bare = await IdentityHarness.start();
  try {
    await expect(
      bare.client.call(googleContract.begin, { purpose: 'signIn', returnTo: '/' }, { actor: visitor }),
    ).rejects.toEqual(refusal('NOT_FOUND'));
    // A sign-in that began while there was a client.
    const secrets = { state: 'the state', nonce: 'the nonce', codeVerifier: 'the verifier' };
    const startedAt = bare.clock.now();
    await bare.replicas[0]!.app.get(GoogleFlowRepository, { strict: false }).insert(
      { ...secrets, returnTo: '/', sessionId: null, startedAt },
      'the browser',
      new Date(startedAt.getTime() + 60_000),
    );
    await expect(
      bare.client.call(
        googleContract.finish,
        { query: 'state=the+state&code=x', browser: 'the browser', client: chrome },
        { actor: visitor },
      ),
    ).rejects.toEqual(refusal('NOT_FOUND'));
  } finally {
    await bare.stop();
  }
});
