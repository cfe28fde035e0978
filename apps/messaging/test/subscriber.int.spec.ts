import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Actor, type CallInput, messagingContract, type Subscriber } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { type MessagingUnderTest, startMessaging } from './messaging.harness.js';

const { admin, customer, visitor } = actors;

let messaging: MessagingUnderTest;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging?.stop());
beforeEach(() => messaging.sql.query('DELETE FROM subscribers'));

type ListInput = CallInput<typeof messagingContract.listSubscribers>;
const add = (email: string, requestId: string = randomUUID(), actor: Actor = visitor) =>
  messaging.client.call(messagingContract.addSubscriber, { body: { email } }, { actor, requestId });
const list = (input: ListInput = {}, actor: Actor = admin) =>
  messaging.client.call(messagingContract.listSubscribers, input, { actor });
const remove = (id: string, ifVersion?: number, actor: Actor = admin) =>
  messaging.client.call(messagingContract.deleteSubscriber, { id, ifVersion }, { actor });
const storedRows = async () =>
  (await messaging.sql.query<{ email: string }>('SELECT email FROM subscribers')).rows;

describe('an address', () => {
  test('is stored once, trimmed, in the letter case in which it was first sent', async () => {
    const record = await add(' Ada@Example.com ');
    expect(record).toEqual({
      _id: expect.any(String),
      email: 'Ada@Example.com',
      status: 'pending',
      createdAt: expect.any(String),
      updatedAt: record.createdAt,
      version: 1,
    });
    await add('ada@example.com');
    expect(await storedRows()).toEqual([{ email: 'Ada@Example.com' }]);
  });

  test('that an admin sends again, in any letter case, is answered with the existing record, and stored once', async () => {
    const first = await add('ada@example.com');
    expect(await add('ADA@example.COM', randomUUID(), admin)).toEqual(first);
    expect(await storedRows()).toEqual([{ email: 'ada@example.com' }]);
  });

  test.each([
    ['a visitor', visitor],
    ['a customer', customer],
  ] as const)(
    'that is sent again is answered like a new one: %s does not learn who is subscribed',
    async (_name, actor) => {
      const known = await add('Known@example.com');
      const firstAddedAt = Date.parse(known.createdAt);
      await messaging.sql.query(`UPDATE subscribers SET created_at = now() - interval '1 year', version = 7`);
      const again = await add('known@Example.com', randomUUID(), actor);
      const fresh = await add('fresh@Example.com', randomUUID(), actor);
      const shape = ({ email, createdAt, updatedAt, version, ...rest }: Subscriber) => ({
        email: email.replace(/^\w+/, ''),
        isRecent: Date.parse(createdAt) >= firstAddedAt && createdAt === updatedAt,
        version,
        fields: Object.keys(rest),
      });
      expect(shape(again)).toEqual(shape(fresh));
      expect(again.email).toBe('known@Example.com');
      expect(again._id).not.toBe(known._id);
    },
  );

  test('that is sent concurrently is stored once', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => add(i % 2 ? 'race@example.com' : 'Race@Example.com')),
    );
    expect(await storedRows()).toHaveLength(1);
  });

  test('sent twelve times with one request id is stored once; another address with that request id is refused', async () => {
    const requestId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => add('once@example.com', requestId)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await storedRows()).toHaveLength(1);
    await expect(add('another@example.com', requestId)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('can be added again after it was removed', async () => {
    const first = await add('ada@example.com');
    expect(await remove(first._id, 1)).toEqual({ _id: first._id });
    expect((await add('ada@example.com'))._id).not.toBe(first._id);
  });

  test.each([
    '',
    ' ',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\r\n',
    'ada\0@example.com',
    'ada\ud800@example.com',
    `${'a'.repeat(250)}@example.com`,
    '<script>@example.com',
  ])('%j is refused', async (email) => {
    await expect(add(email)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field: 'body.email' }] },
    });
    expect(await storedRows()).toEqual([]);
  });
});

describe('the list', () => {
  /** Up to seven subscribers share each time, so that a page can end between equal times. */
  const fill = (count: number) =>
    messaging.sql.query(
      `INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at)
       SELECT gen_random_uuid(), email, email, 1, made, made
       FROM (SELECT 'person' || n || '@example.com' AS email, now() - (n / 7) * interval '1 ms' AS made
             FROM generate_series(1, $1::int) n) AS people`,
      [count],
    );

  test('returns all 2 500 by cursor, each once and newest first, while others are added', async () => {
    await fill(2500);
    const seen: Subscriber[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 400, cursor });
      seen.push(...page.items);
      cursor = page.nextCursor ?? undefined;
      await add(`late${seen.length}@example.com`);
    } while (cursor !== undefined);
    expect(seen).toHaveLength(2500);
    expect(new Set(seen.map(({ _id }) => _id)).size).toBe(2500);
    expect(seen.map(({ createdAt }) => createdAt)).toEqual(
      seen
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    );
  });

  test('returns all 2 500 by page number, and the newest 1000 by default', async () => {
    await fill(2500);
    const byNumber = await Promise.all([1, 2, 3, 4].map((page) => list({ page, limit: 1000 })));
    expect(byNumber.map(({ items }) => items.length)).toEqual([1000, 1000, 500, 0]);
    expect(byNumber.map(({ nextCursor }) => nextCursor !== null)).toEqual([true, true, false, false]);
    expect(byNumber.every(({ total }) => total === 2500)).toBe(true);
    expect(await list()).toEqual(byNumber[0]);
    const second = await list({ cursor: byNumber[0]!.nextCursor!, limit: 1000 });
    expect(second).toEqual(byNumber[1]);
    const ids = byNumber.flatMap(({ items }) => items.map(({ _id }) => _id));
    expect(new Set(ids).size).toBe(2500);
  });

  test('has an exact total if it is short; the total of a long list may be a second old', async () => {
    await fill(10_002);
    expect((await list({ limit: 1 })).total).toBe(10_002);
    await messaging.sql.query(`DELETE FROM subscribers WHERE email = 'person7@example.com'`);
    await eventually(async () => expect((await list({ limit: 1 })).total).toBe(10_001));
    await messaging.sql.query(`DELETE FROM subscribers WHERE email <> 'person8@example.com'`);
    await eventually(async () => expect((await list({ limit: 1 })).total).toBe(1));
    await add('another@example.com');
    expect((await list({ limit: 1 })).total).toBe(2);
  });

  test('filters by the exact address, in any letter case', async () => {
    for (const email of ['Ada@Example.com', 'xada@example.com']) await add(email);
    const { items } = await list({ email: 'ADA@example.com' });
    expect(items.map(({ email }) => email)).toEqual(['Ada@Example.com']);
  });

  test('is searched in any letter case, without wildcards', async () => {
    for (const email of ['ada_l@example.com', 'adaxl@example.com', 'Grace@Example.org']) await add(email);
    const found = async (search: string) => (await list({ search })).items.map(({ email }) => email);
    expect(await found('A_L')).toEqual(['ada_l@example.com']);
    expect(await found('example.ORG')).toEqual(['Grace@Example.org']);
    expect(await found('%')).toEqual([]);
    expect(await found(`' OR 1=1 --`)).toEqual([]);
    expect(await found('  ')).toHaveLength(3);
    expect(await list({ search: 'example', limit: 1 })).toMatchObject({
      total: 3,
      items: [{ email: 'Grace@Example.org' }],
      nextCursor: expect.any(String),
    });
  });

  test.each<[string, ListInput]>([
    ['page', { page: 0 }],
    ['page', { page: 1.5 }],
    ['limit', { limit: 1001 }],
    ['limit', { limit: 0 }],
    ['cursor', { cursor: 'x' }],
    ['cursor', { cursor: '' }],
    ['cursor', { cursor: "zzz.' OR 1=1" }],
    ['cursor', { cursor: `zzzzzzzzz.${'-'.repeat(36)}` }],
    ['search', { search: 'a\0b' }],
    ['search', { search: '\ud800' }],
    ['search', { search: 'x'.repeat(255) }],
  ])('refuses an invalid %s: %j', async (field, input) => {
    await expect(list(input)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field }] },
    });
  });
});

describe('an admin’s calls', () => {
  test('are refused to visitors and customers', async () => {
    const { _id } = await add('ada@example.com');
    await expect(list({}, visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(list({}, customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(remove(_id, undefined, visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(remove(_id, undefined, customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await storedRows()).toHaveLength(1);
  });

  test('remove a record only once; a call that names a version removes it only if it still has that version', async () => {
    const { _id } = await add('ada@example.com');
    await expect(remove(_id, 2)).rejects.toMatchObject({ code: 'VERSION_MISMATCH' });
    await remove(_id);
    for (const id of [_id, 'x', '', "' OR 1=1"]) {
      await expect(remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
