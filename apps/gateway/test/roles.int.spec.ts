import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allSections } from '#libs/content-model';
import type { AdminUser, Operation } from '#libs/contracts';
import { eventually, sampleEvery, Session } from '#libs/testing';
import { operations } from '#libs/operations';
import { sampleRequest } from './sample-requests.js';
import { adminCredentials, startSite, type SiteUnderTest } from './site.harness.js';

/** The admin comes last, because one of the admin's calls removes the demo content. */
const roles = ['visitor', 'customer', 'former admin', 'unverified, on the list of admins', 'admin'] as const;
type Role = (typeof roles)[number];

/** Signed in, but not admins. Nearly all calls answer them alike, so `npm test` tries each call as one of them only. */
const customers: Role[] = ['customer', 'former admin', 'unverified, on the list of admins'];

let site: SiteUnderTest;
let people: Record<Role, Session>;

beforeAll(async () => {
  site = await startSite({ seed: 'demo' });
  const admin = await site.admin();
  const former = await site.secondAdmin('former@example.com');
  // Not 403: this person is an admin until the next call removes them from the list.
  expect((await former.session.get('/history/logo/x')).status).toBe(404);
  expect((await admin.delete(`/users/${former.adminUserId}`)).status).toBe(200);
  // On the list of admins, but never verifies the address.
  const unverified = await site.customer('invited@example.com');
  await admin.post('/add-user', { userEmail: 'invited@example.com' });
  people = {
    visitor: site.visitor,
    customer: await site.customer(),
    admin,
    'former admin': former.session,
    'unverified, on the list of admins': unverified,
  };
});
afterAll(() => site?.stop());

const unverifiedRoles: Role[] = ['customer', 'unverified, on the list of admins'];

/** By operation id, the status of a sample request by somebody whose address is not verified. */
const refusalsOfUnverified: Record<string, number> = {
  createTeamInvitation: 403,
  // The mail was sent just now, on registration.
  resendVerification: 429,
};

/** By operation id, the status of a sample request by anybody who may make it. Most requests lack a valid link, password, code or signature. */
const refusals: Record<string, number> = {
  ...{ finishSignIn: 401, challengeSecondFactor: 401, signInByPasskey: 400 },
  ...{ confirmSignIn: 400, confirmTotp: 400, createPasskey: 400 },
  ...{ verifyEmail: 400, resetPassword: 400, changePassword: 400, changeEmail: 400, deleteAccount: 400 },
  ...{ readAdminInvitation: 400, joinByAdminInvitation: 400, acceptAdminInvitation: 400 },
  ...{ readTeamInvitation: 400, acceptTeamInvitation: 400, readSharedReport: 400 },
  ...{ reportMailEvents: 403, receiveMail: 403 },
  // Without `MAIL_BOUNCE_TOKEN`, bounces cannot be reported.
  reportBounce: 404,
  // Nobody has a second factor.
  renewRecoveryCodes: 409,
  // A sample request does not use the protocol of uploads.
  ...{ beginProjectUpload: 412, sendProjectUpload: 412, cancelProjectUpload: 412 },
};

/** At these paths, nothing can be created: the demo content has every record that the section of the path can have. */
const takenCreatePaths: string[] = allSections
  .filter((section) => section.kind === 'singleton' || section.onePer)
  .map(({ routes }) => routes.create);

function expectedStatus({ policy, operationId, path, status }: Operation, role: Role): number {
  if (policy.access !== 'public' && role === 'visitor') return 401;
  if (policy.access === 'admin' && customers.includes(role)) return 403;
  if (unverifiedRoles.includes(role) && operationId in refusalsOfUnverified)
    return refusalsOfUnverified[operationId]!;
  if (takenCreatePaths.includes(path)) return 409;
  // There is no record with the id of a sample request, and its link proves nothing.
  return refusals[operationId] ?? (path.includes(':') || policy.provedByLink ? 404 : status);
}

const testedOperations = operations.filter(
  // Without calls that start or end sessions, because the other calls need the session of their role; `own-account.int.spec.ts` tests them.
  ({ operationId }) => !['register', 'login', 'logout', 'refresh', 'endAllSessions'].includes(operationId),
);

describe.each(roles)('%s', (role) => {
  const tried = testedOperations.filter(
    (_operation, index) =>
      !customers.includes(role) || sampleEvery(customers.length, customers, index).includes(role),
  );
  test.each(tried.map((operation) => [operation.method, operation.path, operation] as const))(
    '%s %s is answered or refused as its policy says',
    async (_method, _path, operation) => {
      const { method, path, bytes, body = bytes } = sampleRequest(operation, { email: people[role].email });
      const { status } = await people[role].send(method, path, body ? { body } : {});
      expect(status).toBe(expectedStatus(operation, role));
    },
  );
});

describe('the admin list', () => {
  test('is complete for admins, and empty for everybody else', async () => {
    const emails = async (role: Role) =>
      (await people[role].get<AdminUser[]>('/users')).json.map(({ userEmail }) => userEmail);
    expect(await emails('visitor')).toEqual([]);
    expect(await emails('customer')).toEqual([]);
    expect(await emails('former admin')).toEqual([]);
    expect(await emails('admin')).toEqual(
      expect.arrayContaining([adminCredentials.email, 'invited@example.com']),
    );
    expect(await emails('unverified, on the list of admins')).toEqual([]);
  });

  test('shows other people’s entries only to admins', async () => {
    const [entry] = (await people.admin.get<AdminUser[]>('/users')).json;
    const path = `/users/${entry!._id}`;
    expect((await people.visitor.get(path)).status).toBe(401);
    expect((await people.customer.get(path)).status).toBe(404);
    expect((await people.admin.get(path)).json).toEqual(entry);
  });

  test('accepts an entry as it was read, with a change, and refuses a stale version and invalid fields', async () => {
    const { json } = await people.admin.post<AdminUser>('/add-user', {
      userEmail: 'new@example.com',
      userRole: 'Admin',
    });
    // The path is spelled as in the specification.
    const path = `/upadete-users/${json._id}`;
    const read = (await people.admin.get<AdminUser>(`/users/${json._id}`)).json;
    const changed = await people.admin.put(path, { ...read, userEmail: 'newer@example.com' });
    expect([changed.status, changed.json]).toMatchObject([
      200,
      { userEmail: 'newer@example.com', modifiedCount: 1 },
    ]);
    const stale = await people.admin.put(
      path,
      { userEmail: 'newest@example.com' },
      { headers: { 'If-Match': '"1"' } },
    );
    expect(stale.status).toBe(412);
    expect((await people.admin.put(path, { userEmail: 'x', userRole: 'Owner', more: 1 })).json).toMatchObject(
      {
        errors: [{ field: 'userEmail' }, { field: 'userRole' }, { field: 'more' }],
      },
    );
  });

  test('keeps its last admin', async () => {
    const entries = (await people.admin.get<AdminUser[]>('/users')).json;
    const own = entries.find(({ userEmail }) => userEmail === adminCredentials.email)!;
    const answer = await people.admin.delete(`/users/${own._id}`);
    expect([answer.status, answer.json]).toMatchObject([409, { code: 'LAST_ADMIN' }]);
  });
});

describe('authentication', () => {
  test('ignores request headers that claim another user or role', async () => {
    const headers = { 'X-User-Id': 'admin', 'X-Role': 'admin', 'X-Forwarded-User': adminCredentials.email };
    const answer = await people.customer.post('/add-logo', { logo: '/x' }, { headers });
    expect(answer.status).toBe(403);
  });

  test('ignores any scheme but Bearer', async () => {
    const headers = { Authorization: 'Basic YWRtaW46YWRtaW4=' };
    expect((await site.visitor.get('/auth/me', { headers })).status).toBe(401);
    expect((await site.visitor.get('/users', { headers })).json).toEqual([]);
  });

  test.each([
    ['no token', () => 'Bearer'],
    ['garbage', () => 'Bearer garbage'],
    ['an unsigned token', () => `Bearer ${withHeader({ alg: 'none' }, '')}`],
    ['an unknown key', () => `Bearer ${withHeader({ kid: 'unknown' })}`],
  ])('with %s is refused: the caller is not treated as a visitor', async (_name, authorizationOf) => {
    const authorization = authorizationOf();
    for (const path of ['/auth/me', '/users']) {
      const answer = await site.visitor.get(path, { headers: { Authorization: authorization } });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('with a changed token is refused', async () => {
    const [head, claims, signature] = people.customer.bearer.split('.') as [string, string, string];
    const payload = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...payload, role: 'Admin' })).toString('base64url');
    const headers = { Authorization: `Bearer ${head}.${forged}.${signature}` };
    expect((await site.visitor.get('/auth/me', { headers })).status).toBe(401);
  });

  test('ends on every gateway when the person signs out', async () => {
    const credentials = { email: 'leaving@example.com', password: 'correct horse battery' };
    const leaving = await Session.register(site.url, credentials);
    const second = await site.startGateway();
    expect((await leaving.at(second.url).get('/auth/me')).status).toBe(200);
    expect((await leaving.send('POST', '/auth/logout')).status).toBe(200);
    const after = await leaving.get<{ code: string }>('/auth/me');
    expect([after.status, after.json.code]).toEqual([401, 'SESSION_ENDED']);
    await eventually(async () => expect((await leaving.at(second.url).get('/auth/me')).status).toBe(401), {
      promisedMs: 1000,
    });
  });
});

/** The token of the admin's session with other header fields and, if given, another signature. */
function withHeader(changes: object, signature?: string): string {
  const [head, claims, own] = people.admin.bearer.split('.') as [string, string, string];
  const header = { ...(JSON.parse(Buffer.from(head, 'base64url').toString()) as object), ...changes };
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}.${signature ?? own}`;
}
