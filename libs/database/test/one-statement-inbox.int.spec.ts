import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { event } from '#libs/contracts';
import { Inbox, OneStatementInbox, Outbox, uuidv7 } from '../src/index.js';
import { countRows, openReplicas } from './tables.js';

const noted = event('notes.added', z.object({ body: z.string() }));

let opened: Awaited<ReturnType<typeof openReplicas>>;
let firstReplica: DataSource;
let inboxes: OneStatementInbox[];
let announced = 0;

beforeAll(async () => {
  opened = await openReplicas(2);
  [firstReplica] = opened.replicas as [DataSource];
  inboxes = opened.replicas.map((replica) => {
    const outbox = new Outbox(replica);
    outbox.onCommitted(() => (announced += 1));
    return new OneStatementInbox(replica, new Inbox(replica), outbox);
  });
});
beforeEach(async () => {
  announced = 0;
  await firstReplica.query('TRUNCATE notes, inbox_entries, outbox_messages');
});
afterAll(() => opened.close());

const newRequest = () => ({ requestId: uuidv7(), fingerprint: 'note.add:a' });

function add(request: ReturnType<typeof newRequest>, body: string, { allowed = true, replica = 0 } = {}) {
  // `jsonb` sorts keys, so `a` is stored before `z`. The first reply must have this order too, because repeated requests must get the same text.
  const reply = { z: body, a: uuidv7() };
  return inboxes[replica]!.once(request, {
    name: 'add-note',
    condition: '$2::boolean',
    effects: 'added AS (INSERT INTO notes (body) SELECT $1 FROM claimed)',
    parameters: [body, allowed],
    reply,
    event: new Outbox(firstReplica).row(noted, { body }, { traceparent: 'trace' }),
  });
}

test('effect, event and reply are stored together, and the event is announced', async () => {
  expect(await add(newRequest(), 'a')).toMatchObject({ z: 'a' });
  expect(await firstReplica.query('SELECT body FROM notes')).toEqual([{ body: 'a' }]);
  expect(
    await firstReplica.query('SELECT event, payload, traceparent, sent_at FROM outbox_messages'),
  ).toEqual([{ event: 'notes.added', payload: { body: 'a' }, traceparent: 'trace', sent_at: null }]);
  expect(await firstReplica.query(`SELECT reply->>'z' AS z FROM inbox_entries`)).toEqual([{ z: 'a' }]);
  expect(announced).toBe(1);
});

test('thirty concurrent requests on two replicas have one effect, one event and the same reply; another command with their request id is refused', async () => {
  const request = newRequest();
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) => add(request, 'a', { replica: index % 2 })),
  );
  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
  expect([
    await countRows(firstReplica, 'notes'),
    await countRows(firstReplica, 'outbox_messages'),
    announced,
  ]).toEqual([1, 1, 1]);
  await expect(add({ ...request, fingerprint: 'other' }, 'b')).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
  expect(await countRows(firstReplica, 'notes')).toBe(1);
});

test('values that the database assigns are available to the effects, and in the reply even if the command is repeated', async () => {
  await firstReplica.query('CREATE SEQUENCE note_numbers START 7');
  const request = newRequest();
  const addNumbered = () =>
    inboxes[0]!.once<{ body: string; number?: number }>(request, {
      name: 'number-note',
      condition: 'true',
      effects: `added AS (INSERT INTO notes (body) SELECT claimed.reply->>'number' FROM claimed)`,
      parameters: [],
      reply: { body: 'a' },
      assigned: `jsonb_build_object('number', nextval('note_numbers'))`,
      event: new Outbox(firstReplica).row(noted, { body: 'a' }, { traceparent: 'trace' }),
    });
  expect(await addNumbered()).toEqual({ body: 'a', number: 7 });
  expect(await addNumbered()).toEqual({ body: 'a', number: 7 });
  expect(await firstReplica.query('SELECT body FROM notes')).toEqual([{ body: '7' }]);
});

test('a command whose condition fails leaves nothing and may be repeated; a completed one gets its reply again even if the condition now fails', async () => {
  const request = newRequest();
  expect(await add(request, 'a', { allowed: false })).toBeUndefined();
  expect([
    await countRows(firstReplica, 'notes'),
    await countRows(firstReplica, 'inbox_entries'),
    announced,
  ]).toEqual([0, 0, 0]);
  const done = await add(request, 'a');
  expect(await add(request, 'a', { allowed: false })).toEqual(done);
});

test('a failing effect leaves neither an inbox entry nor an event, and the command may be repeated', async () => {
  const request = newRequest();
  await firstReplica.query(`ALTER TABLE notes ADD CONSTRAINT no_x CHECK (body <> 'x')`);
  await expect(add(request, 'x')).rejects.toThrow('no_x');
  await firstReplica.query('ALTER TABLE notes DROP CONSTRAINT no_x');
  expect([
    await countRows(firstReplica, 'inbox_entries'),
    await countRows(firstReplica, 'outbox_messages'),
  ]).toEqual([0, 0]);
  expect(await add(request, 'x')).toMatchObject({ z: 'x' });
});
