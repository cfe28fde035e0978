import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Actor, type CallInput, messagingContract, type MessageStatus } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { DeletedRecordRepository } from '../deleted/deleted-record.repository.js';
import { type MessagingUnderTest, startMessaging } from './messaging.harness.js';

const { admin, customer, visitor } = actors;

let messaging: MessagingUnderTest;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging?.stop());
beforeEach(() => messaging.sql.query('DELETE FROM messages'));

type Body = CallInput<typeof messagingContract.addMessage>['body'];
type ListInput = CallInput<typeof messagingContract.listMessages>;
const body: Body = {
  fullName: 'Ada Lovelace',
  emailAddress: 'ada@example.com',
  subject: 'An engine',
  message: 'Two lines\r\nof text.',
};
const add = (more: Partial<Body> = {}, requestId: string = randomUUID()) =>
  messaging.client.call(
    messagingContract.addMessage,
    { body: { ...body, ...more } },
    { actor: visitor, requestId },
  );
const list = (input: ListInput = {}, actor: Actor = admin) =>
  messaging.client.call(messagingContract.listMessages, input, { actor });
const getMessage = (id: string, actor: Actor = admin) =>
  messaging.client.call(messagingContract.getMessage, { id }, { actor });
const setStatus = (id: string, messageStatus: MessageStatus, ifVersion?: number, actor: Actor = admin) =>
  messaging.client.call(messagingContract.updateMessage, { id, messageStatus, ifVersion }, { actor });
const remove = (id: string, ifVersion?: number, actor: Actor = admin) =>
  messaging.client.call(messagingContract.deleteMessage, { id, ifVersion }, { actor });
const count = async () => (await messaging.sql.query('SELECT 1 FROM messages')).rowCount;

describe('a message', () => {
  test('is stored unread and unchanged, and an event announces it', async () => {
    const markup = '<script>alert(1)</script> {{7*7}} ${x} =cmd() ‮ \u202e';
    const record = await add({ message: markup, subject: '<b>Engine</b>', messageStatus: 'UnRead' });
    expect(record).toEqual({
      _id: expect.any(String),
      ...body,
      message: markup,
      subject: '<b>Engine</b>',
      messageStatus: 'UnRead',
      answeredAt: null,
      createdAt: expect.any(String),
      updatedAt: record.createdAt,
      version: 1,
    });
    expect(await getMessage(record._id)).toEqual({ ...record, thread: [] });
    await eventually(() =>
      expect(messaging.events).toContainEqual({
        event: 'messages.received',
        messageId: record._id,
        eventId: expect.any(String),
      }),
    );
  });

  test('sent twelve times with one request id is stored once; another message with that id is refused', async () => {
    const requestId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => add({}, requestId)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await count()).toBe(1);
    await expect(add({ subject: 'Another' }, requestId)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test.each<[string, unknown]>([
    ['fullName', ''],
    ['fullName', ' \t'],
    ['fullName', 7],
    ['fullName', ['Ada']],
    ['fullName', 'x'.repeat(301)],
    ['fullName', 'Ada\r\nBcc: eve@example.com'],
    ['fullName', 'Ada\nX'],
    ['fullName', 'Ada\u2028X'],
    ['fullName', 'Ada\u001b[2J'],
    ['emailAddress', 'ada'],
    ['emailAddress', 'ada@example.com\r\nBcc: eve@example.com'],
    ['emailAddress', '\nada@example.com'],
    ['emailAddress', null],
    ['emailAddress', `${'a'.repeat(250)}@example.com`],
    ['subject', 'Engine\rSubject: other'],
    ['subject', 'x'.repeat(301)],
    ['subject', undefined],
    ['message', 'a\0b'],
    ['message', '\ud800'],
    ['message', 'x'.repeat(10_001)],
    ['message', { $ne: null }],
    ['messageStatus', 'Read'],
    ['messageStatus', 'unread'],
    ['_id', randomUUID()],
    ['createdAt', '2020-01-01'],
  ])('with %s of %j is refused', async (field, value) => {
    await expect(add({ [field]: value } as Partial<Body>)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field: `body.${field}` }] },
    });
    expect(await count()).toBe(0);
  });

  test('may be as long as the limit', async () => {
    const longest = {
      fullName: 'x'.repeat(300),
      subject: 'é'.repeat(300),
      message: '\u{1f600}'.repeat(5000),
    };
    expect(await add(longest)).toMatchObject(longest);
  });

  test('can be changed from unread to read, but not back, and only if it still has the version that the call names', async () => {
    const record = await add();
    await expect(setStatus(record._id, 'UnRead')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    await expect(setStatus(record._id, 'Read', 7)).rejects.toMatchObject({
      code: 'VERSION_MISMATCH',
      details: { current: record },
    });
    const answer = await setStatus(record._id, 'Read', 1);
    expect(answer).toMatchObject({ modified: true, record: { messageStatus: 'Read', version: 2 } });
    expect(await setStatus(record._id, 'Read')).toEqual({ record: answer.record, modified: false });
    await expect(setStatus(record._id, 'UnRead')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(await getMessage(record._id)).toEqual({ ...answer.record, thread: [] });
  });

  test('is marked as read by only one of several concurrent calls', async () => {
    const { _id } = await add();
    const answers = await Promise.all(Array.from({ length: 6 }, () => setStatus(_id, 'Read')));
    expect(answers.filter(({ modified }) => modified)).toHaveLength(1);
    expect((await getMessage(_id)).version).toBe(2);
  });

  test('is removed only if it still has the version that the call names; afterwards calls fail with NOT_FOUND, as for an unknown id', async () => {
    const { _id } = await add();
    await expect(remove(_id, 2)).rejects.toMatchObject({ code: 'VERSION_MISMATCH' });
    expect(await remove(_id, 1)).toEqual({ _id });
    for (const id of [_id, 'x', '', '../x']) {
      await expect(getMessage(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(setStatus(id, 'Read')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('can be read, changed and deleted by admins only', async () => {
    const { _id } = await add();
    for (const [actor, code] of [
      [visitor, 'UNAUTHENTICATED'],
      [customer, 'FORBIDDEN'],
    ] as const) {
      await expect(list({}, actor)).rejects.toMatchObject({ code });
      await expect(getMessage(_id, actor)).rejects.toMatchObject({ code });
      await expect(setStatus(_id, 'Read', undefined, actor)).rejects.toMatchObject({ code });
      await expect(remove(_id, undefined, actor)).rejects.toMatchObject({ code });
    }
    expect((await getMessage(_id)).messageStatus).toBe('UnRead');
  });
});

describe('bulk changes of messages', () => {
  const bulk = (ids: string[], actor: Actor = admin, requestId: string = randomUUID()) => ({
    read: () => messaging.client.call(messagingContract.markMessagesRead, { ids }, { actor, requestId }),
    remove: () => messaging.client.call(messagingContract.deleteMessages, { ids }, { actor, requestId }),
    restore: () => messaging.client.call(messagingContract.restoreMessages, { ids }, { actor, requestId }),
  });

  test('mark messages as read, count those that were already read as done, and report unknown ids', async () => {
    const [first, second] = [await add(), await add()];
    await setStatus(second._id, 'Read');
    const unknown = randomUUID();
    const ids = [first._id.toUpperCase(), second._id, first._id, unknown];
    expect(await bulk(ids).read()).toEqual({
      done: [first._id, second._id],
      failed: [
        { _id: unknown, code: 'NOT_FOUND', message: 'This record doesn’t exist. It may have been deleted.' },
      ],
    });
    expect([await getMessage(first._id), await getMessage(second._id)]).toMatchObject([
      { messageStatus: 'Read', version: 2 },
      { messageStatus: 'Read', version: 2 },
    ]);
  });

  test('delete messages, and restore them completely; repeating the request to delete them changes nothing', async () => {
    const [first, second] = [await add({ message: 'Word for word.' }), await add()];
    const ids = [first._id, second._id];
    const removal = bulk(ids);
    expect(await removal.remove()).toEqual({ done: ids, failed: [] });
    expect((await list()).items).toEqual([]);
    const restoration = bulk([...ids, randomUUID()]);
    expect(await restoration.restore()).toMatchObject({ done: ids, failed: [{ code: 'NOT_FOUND' }] });
    expect(await getMessage(first._id)).toEqual({
      ...first,
      ...{ thread: [], version: 2, updatedAt: expect.any(String) },
    });
    // A repeated request gets the same answer, and deletes nothing again.
    expect(await removal.remove()).toEqual({ done: ids, failed: [] });
    expect((await list()).items.map(({ _id }) => _id)).toEqual(ids.toReversed());
    expect(await bulk(ids).restore()).toEqual({ done: ids, failed: [] });
  });

  test('also restore a message that was deleted on its own, even after a second deletion', async () => {
    const { _id } = await add();
    for (let round = 0; round < 2; round += 1) {
      await remove(_id);
      expect(await bulk([_id]).restore()).toEqual({ done: [_id], failed: [] });
    }
    expect((await getMessage(_id)).version).toBe(3);
  });

  test('cannot restore messages after an hour, when the cleanup deletes them for good', async () => {
    const ids = [(await add())._id, (await add())._id];
    await bulk(ids).remove();
    await messaging.sql.query(`UPDATE deleted_records SET deleted_at = deleted_at - interval '61 minutes'`);
    expect(await bulk(ids).restore()).toMatchObject({
      done: [],
      failed: ids.map((_id) => ({ _id, code: 'NOT_FOUND' })),
    });
    const { app } = messaging.replicas[0]!;
    await app.get(DeletedRecordRepository, { strict: false }).deleteExpired();
    expect((await messaging.sql.query('SELECT 1 FROM deleted_records')).rowCount).toBe(0);
  });

  test('are for admins only', async () => {
    const calls = bulk([(await add())._id], customer);
    for (const call of [calls.read, calls.remove, calls.restore])
      await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await count()).toBe(1);
  });
});

describe('bulk changes of subscribers', () => {
  test('remove subscribers, and restore those whose address has not signed up again', async () => {
    const subscribe = (email: string) =>
      messaging.client.call(messagingContract.addSubscriber, { body: { email } }, { actor: admin });
    const unique = randomUUID();
    const [first, second] = [
      await subscribe(`A-${unique}@example.com`),
      await subscribe(`b-${unique}@example.com`),
    ];
    const ids = [first._id, second._id];
    const input = { ids };
    expect(await messaging.client.call(messagingContract.deleteSubscribers, input, { actor: admin })).toEqual(
      { done: ids, failed: [] },
    );
    await subscribe(`a-${unique}@example.com`);
    const outcome = await messaging.client.call(messagingContract.restoreSubscribers, input, {
      actor: admin,
    });
    expect(outcome).toMatchObject({ done: [second._id], failed: [{ _id: first._id, code: 'DUPLICATE' }] });
    const listed = await messaging.client.call(
      messagingContract.listSubscribers,
      { search: unique, sort: 'email', direction: 'asc' },
      { actor: admin },
    );
    expect(listed.items.map(({ email }) => email)).toEqual([
      `a-${unique}@example.com`,
      `b-${unique}@example.com`,
    ]);
    expect(listed.items[1]).toMatchObject({ ...second, version: 2, updatedAt: expect.any(String) });
  });
});

describe('the list', () => {
  /** Groups of three messages have the same time, so that a cursor must also compare ids. */
  const fill = (total: number) =>
    messaging.sql.query(
      `INSERT INTO messages
         (id, full_name, email_address, subject, message, message_status, version, created_at, updated_at)
       SELECT gen_random_uuid(), 'Person ' || n, 'p' || n || '@example.com', 'Subject', 'Text ' || n,
         CASE WHEN n % 5 = 0 THEN 'Read' ELSE 'UnRead' END, 1,
         now() - (n / 3) * interval '1 ms', now()
       FROM generate_series(1, $1::int) n`,
      [total],
    );

  test('returns each of 2 500 messages, or each of those with one status, exactly once when read by cursor', async () => {
    await fill(2500);
    const walk = async (filter: ListInput) => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ ...filter, limit: 300, cursor });
        ids.push(...page.items.map(({ _id }) => _id));
        cursor = page.nextCursor ?? undefined;
        expect(
          page.items.every(({ messageStatus }) => messageStatus === (filter.messageStatus ?? messageStatus)),
        ).toBe(true);
      } while (cursor !== undefined);
      expect(new Set(ids).size).toBe(ids.length);
      return ids.length;
    };
    expect(await walk({})).toBe(2500);
    expect(await walk({ messageStatus: 'Read' })).toBe(500);
    expect(await walk({ messageStatus: 'UnRead' })).toBe(2000);
    expect(await list({ messageStatus: 'Read', page: 2, limit: 300 })).toMatchObject({
      total: 500,
      nextCursor: null,
    });
  });

  test.each([
    ['created_at', `now() - interval '700 ms'`, 'messages_by_time'],
    ['name_sorted', `'person 2000'`, 'messages_by_name_of_any_status'],
  ])(
    'sorted by %s, uses the index to find the rows after a cursor, however far down the list the cursor is',
    async (column, value, index) => {
      await fill(2500);
      await messaging.sql.query('ANALYZE messages');
      const { rows } = await messaging.sql.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT * FROM messages
         WHERE (${column}, id) < (${value}, '00000000-0000-0000-0000-000000000000')
         ORDER BY ${column} DESC, id DESC LIMIT 11`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(`Index Scan Backward using ${index}`);
      expect(plan).toContain(`Index Cond: (ROW(${column}, id) <`);
    },
  );

  test('searches with the index, whichever field contains the text', async () => {
    await messaging.sql.query('BEGIN; SET LOCAL enable_seqscan = off');
    const { rows } = await messaging.sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM messages WHERE full_name ILIKE '%needle%' OR email_address ILIKE '%needle%'
       OR subject ILIKE '%needle%' OR message ILIKE '%needle%'`,
    );
    await messaging.sql.query('COMMIT');
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(
      'Bitmap Index Scan on messages_searched',
    );
  });

  test('aborts a search that takes too long', async () => {
    await messaging.sql.query('BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    try {
      await expect(list({ search: 'a' })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: 'This search took too long. Enter at least three letters.',
      });
    } finally {
      await messaging.sql.query('ROLLBACK');
    }
  });

  test('searches name, address, subject and text', async () => {
    const first = await add({ fullName: 'Needle One' });
    const second = await add({ emailAddress: 'needle@example.com', messageStatus: 'UnRead' });
    const third = await add({ subject: 'a NEEDLE' });
    const fourth = await add({ message: 'hay\nneedle\nhay' });
    await add();
    await setStatus(third._id, 'Read');
    const found = async (input: ListInput) => (await list(input)).items.map(({ _id }) => _id);
    expect(await found({ search: 'needle' })).toEqual([fourth, third, second, first].map(({ _id }) => _id));
    expect(await found({ search: 'needle', messageStatus: 'Read' })).toEqual([third._id]);
    expect(await found({ search: '\\' })).toEqual([]);
  });

  test('filters by the sender’s exact address, in any letter case', async () => {
    for (const emailAddress of ['ada@example.com', 'Ada@Example.com', 'xada@example.com'])
      await add({ emailAddress, subject: emailAddress });
    const { items } = await list({ emailAddress: 'ADA@example.com' });
    expect(items.map(({ subject }) => subject)).toEqual(['Ada@Example.com', 'ada@example.com']);
  });

  test('filters by time, including both limits', async () => {
    const ids: string[] = [];
    for (const at of ['2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00.000Z', '2026-11-21T12:00:00.000Z']) {
      const { _id } = await add();
      await messaging.sql.query(`UPDATE messages SET created_at = $2 WHERE id = $1`, [_id, at]);
      ids.unshift(_id);
    }
    const found = async (input: ListInput) => {
      const { items, total } = await list(input);
      expect(total).toBe(items.length);
      return items.map(({ _id }) => _id);
    };
    expect(await found({ from: '2026-11-20T01:00:00+01:00' })).toEqual(ids.slice(0, 2));
    expect(await found({ to: '2026-11-20T00:00:00Z' })).toEqual(ids.slice(1));
    expect(await found({ from: '2026-11-20T00:00:00Z', to: '2026-11-20T23:59:59.999Z' })).toEqual([ids[1]]);
    await expect(list({ from: 'yesterday' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field: 'from' }] },
    });
  });

  test('accepts the documented statuses only', async () => {
    await expect(list({ messageStatus: 'Gone' as MessageStatus })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field: 'messageStatus' }] },
    });
  });
});
