import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allSections } from '#libs/content-model';
import { eventually, sampleBody, type Session, sampleEvery } from '#libs/testing';
import type { Operation } from '#libs/contracts';
import type { Problem } from '../problem/problem.js';
import { sampleRequest, writes } from './sample-requests.js';
import { startSite, type SiteUnderTest } from './site.harness.js';
import { countStoredRows } from './stored-rows.js';

/**
 * Without the calls under `/auth/`, which refuse a repetition, and without the call that begins an upload, which only makes a reservation that
 * expires.
 */
const creations = writes.filter(
  ({ status, path }) => status === 201 && !path.startsWith('/auth/') && path !== '/project-uploads',
);

let site: SiteUnderTest;
let people: Record<'admin' | 'customer', [Session, Session]>;

beforeAll(async () => {
  site = await startSite({ gateways: 2, settings: { LIMIT_FORMS: '900000/60' } });
  const second = await site.secondAdmin('second@example.com');
  people = {
    admin: [await site.admin(), second.session],
    customer: [await site.customer(), await site.customer()],
  };
  // A package to order. The demo content has one, but with it the tests could not create any singleton.
  const [admin] = people.admin;
  const pricing = allSections.find(({ routes }) => routes.create === '/add-pricing')!;
  const basic = { ...sampleBody(pricing), packageName: 'Basic', packagePrice: '290.00' };
  expect((await admin.post('/add-pricing', basic)).status).toBe(201);
  await eventually(async () => expect((await order(admin)).status).toBe(201));
});
afterAll(() => site?.stop());

test('every call in `creations` takes an Idempotency-Key', () => {
  expect(creations.filter(({ policy }) => !policy.idempotent)).toEqual([]);
});

/** Tables to which a creation may add rows besides its record. */
const bookkeeping =
  /\.(audit_entries|inbox_entries|outbox_messages|entry_unique_values|order_timeline|order_total_changes|\w*order_totals|order_day_totals|\w+_history)$/;

/** Refused until the orders service knows the package. */
function order(person: Session) {
  const operation = writes.find(({ path }) => path === '/new-order')!;
  const { path, body } = sampleRequest(operation, { mark: 'trial', email: person.email });
  return person.post(path, body);
}

type Stored = { _id?: string };

const singletonPaths: string[] = allSections
  .filter(({ kind }) => kind === 'singleton')
  .map(({ routes }) => routes.create);

/**
 * Without calls that have a record's id in their path, because no such record exists here, and without the invitation to a team (tested in
 * `apps/projects/test/team.int.spec.ts`).
 */
const topLevelCreations = creations.filter(
  ({ path }) => !path.includes(':id') && path !== '/team/invitations',
);

describe.each(sampleEvery(4, topLevelCreations).map((operation) => [operation.path, operation] as const))(
  '%s',
  (path, operation: Operation) => {
    const countRecords = async () =>
      Object.entries(await countStoredRows(site))
        .filter(([table]) => !bookkeeping.test(table))
        .reduce((sum, [, count]) => sum + count, 0);
    const headers = { 'Idempotency-Key': `key-of-${path.slice(1)}` };
    const bodyOf = ({ email }: Session) => sampleRequest(operation, { mark: 'first', email }).body;
    const otherBodyOf = ({ email }: Session) => sampleRequest(operation, { mark: 'other', email }).body;
    const twoPeople = () => people[operation.policy.access === 'admin' ? 'admin' : 'customer'];

    test('twelve parallel posts with one key, over two gateways, create one record and get the same answer', async () => {
      const before = await countRecords();
      const [person] = twoPeople();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          person.at(site.gateways[i % 2]!.url).post<Stored>(path, bodyOf(person), { headers }),
        ),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect([answers[0]!.status, answers[0]!.json._id]).toEqual([201, expect.any(String)]);
      expect(await countRecords()).toBe(before + 1);
      const later = await person.post<Stored>(path, bodyOf(person), { headers });
      expect([later.status, later.text]).toEqual([201, answers[0]!.text]);
    });

    test('the key with another body is refused', async () => {
      const before = await countRecords();
      const [person] = twoPeople();
      const answer = await person.post<Problem>(path, otherBodyOf(person), { headers });
      expect([answer.status, answer.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(await countRecords()).toBe(before);
    });

    test('another person can use the same key', async () => {
      const [person, another] = twoPeople();
      const known = await person.post<Stored>(path, bodyOf(person), { headers });
      const answer = await another.post<Stored & Problem>(path, otherBodyOf(another), { headers });
      // There can be only one record, and it exists by now. 409 shows that the stored answer to the first person, a 201, is not sent.
      if (path === '/add-email' || singletonPaths.includes(path))
        return expect([answer.status, answer.json.code]).toEqual([409, 'SINGLETON_EXISTS']);
      expect(answer.status).toBe(201);
      expect(answer.json._id).not.toBe(known.json._id);
      expect(answer.json).toMatchObject(otherBodyOf(another)!);
    });

    test('a visitor who sends the key of a signed-in person does not get that person’s answer', async () => {
      const [person] = twoPeople();
      const known = await person.post<Stored>(path, bodyOf(person), { headers });
      const answer = await site.visitor.post<Stored>(path, bodyOf(person), { headers });
      expect(answer.status).toBe(operation.policy.access === 'public' ? 201 : 401);
      expect(answer.text).not.toBe(known.text);
    });
  },
);
