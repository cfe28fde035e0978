import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { Inbox, RetentionSweeper, uuidv7 } from '../src/index.js';
import { pino } from 'pino';
import { addNote, countRows, openReplicas } from './tables.js';

const silent = pino({ level: 'silent' });

describe('inbox', () => {
  let opened: Awaited<ReturnType<typeof openReplicas>>;
  let firstReplica: DataSource;
  let secondReplica: DataSource;
  let inboxes: Inbox[];

  beforeAll(async () => {
    opened = await openReplicas(2);
    [firstReplica, secondReplica] = opened.replicas as [DataSource, DataSource];
    inboxes = [new Inbox(firstReplica), new Inbox(secondReplica)];
  });
  beforeEach(() => firstReplica.query('TRUNCATE notes, inbox_entries, consumed_events'));
  afterAll(() => opened.close());

  const inbox = () => inboxes[0] as Inbox;
  const key = (fingerprint = 'note.add:a') => ({ requestId: uuidv7(), fingerprint });

  test('a repeated request gets the stored reply and has no second effect', async () => {
    const request = key();
    // The fields are not in alphabetical order, because the stored reply must keep their order.
    const send = () => inbox().once(request, async (tx) => ({ noteId: await addNote(tx, 'a'), a: ['x'] }));
    const first = await send();
    expect(JSON.stringify(await send())).toBe(JSON.stringify(first));
    expect(await countRows(firstReplica, 'notes')).toBe(1);
  });

  test('twelve concurrent requests on two replicas have one effect and twelve equal replies', async () => {
    const request = key();
    let runs = 0;
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (inboxes[index % 2] as Inbox).once(request, async (tx) => {
          runs += 1;
          return { id: await addNote(tx, 'a') };
        }),
      ),
    );
    expect(runs).toBe(1);
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(await countRows(firstReplica, 'notes')).toBe(1);
  });

  test('a second delivery waits for the first, and does the work itself if the first rolls back', async () => {
    const request = key();
    let fail = (_: Error) => {};
    let reportBegin = () => {};
    const firstBegan = new Promise<void>((resolve) => (reportBegin = resolve));
    const first = (inboxes[0] as Inbox).once(request, async (tx) => {
      await addNote(tx, 'first');
      reportBegin();
      await new Promise((_, reject) => (fail = reject));
    });
    await firstBegan;
    const second = (inboxes[1] as Inbox).once(request, (tx) => addNote(tx, 'second'));
    await eventually(async () => {
      const waiting: unknown[] = await firstReplica.query(
        'SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()',
      );
      expect(waiting).toHaveLength(1);
    });
    fail(new DomainError('FORBIDDEN'));
    await expect(first).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await second;
    expect(await firstReplica.query('SELECT body FROM notes')).toEqual([{ body: 'second' }]);
  });

  test('the same request id with another command is refused', async () => {
    const request = key();
    await inbox().once(request, (tx) => addNote(tx, 'a'));
    const otherCommand = { ...request, fingerprint: 'note.add:b' };
    await expect(inbox().once(otherCommand, (tx) => addNote(tx, 'b'))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await countRows(firstReplica, 'notes')).toBe(1);
  });

  test('failed work leaves nothing, and its request id may be used again', async () => {
    const request = key();
    const failing = inbox().once(request, async (tx) => {
      await addNote(tx, 'a');
      throw new DomainError('DUPLICATE');
    });
    await expect(failing).rejects.toMatchObject({ code: 'DUPLICATE' });
    expect(await countRows(firstReplica, 'inbox_entries')).toBe(0);
    await inbox().once(request, (tx) => addNote(tx, 'a'));
    expect(await countRows(firstReplica, 'notes')).toBe(1);
  });

  test('a request whose reply is undefined is not executed again either', async () => {
    const request = key();
    let runs = 0;
    const work = async () => void (runs += 1);
    await inbox().once(request, work);
    await inbox().once(request, work);
    expect(runs).toBe(1);
  });

  test('a secret reply is not stored: repeated requests recreate it from stored data, one at a time', async () => {
    const request = key('identity.login');
    const signIn = (anInbox: Inbox) =>
      anInbox.once(request, async (tx) => ({ session: await addNote(tx, 'session'), token: 'secret-1' }), {
        toStored: ({ session }) => ({ session }),
        restore: async ({ session }, tx) => {
          const [row] = await tx.query<[{ body: string }]>('SELECT body FROM notes WHERE id = $1', [session]);
          // Two repeated requests that ran at the same time would both read the body 'session'.
          const body = `${row.body}+`;
          await tx.query('UPDATE notes SET body = $2 WHERE id = $1', [session, body]);
          return { session, token: body };
        },
      });
    const { session } = await signIn(inbox());
    const tokens = await Promise.all(inboxes.map(signIn));
    expect(tokens.map(({ token }) => token).sort()).toEqual(['session+', 'session++']);
    expect(await firstReplica.query('SELECT reply FROM inbox_entries')).toEqual([{ reply: { session } }]);
  });

  test('each consumer of an event consumes it once, even if it is delivered twice', async () => {
    const eventId = uuidv7();
    const consume = (anInbox: Inbox, consumer: string) =>
      anInbox.consume(consumer, eventId, async (tx) => void (await addNote(tx, consumer)));
    await Promise.all([
      consume(inboxes[0] as Inbox, 'packages'),
      consume(inboxes[1] as Inbox, 'packages'),
      consume(inboxes[0] as Inbox, 'mail'),
    ]);
    expect(await firstReplica.query('SELECT body FROM notes ORDER BY body')).toEqual([
      { body: 'mail' },
      { body: 'packages' },
    ]);
  });

  test('an event whose consumer fails is consumed when it is delivered again', async () => {
    const eventId = uuidv7();
    const failing = inbox().consume('packages', eventId, async (tx) => {
      await addNote(tx, 'a');
      throw new Error('not now');
    });
    await expect(failing).rejects.toThrow('not now');
    await inbox().consume('packages', eventId, async (tx) => void (await addNote(tx, 'a')));
    expect(await countRows(firstReplica, 'notes')).toBe(1);
  });

  test('requests are forgotten after a day, events after a week', async () => {
    await inbox().once(key(), (tx) => addNote(tx, 'a'));
    await inbox().once(key(), (tx) => addNote(tx, 'b'));
    await inbox().consume('packages', uuidv7(), async () => {});
    await inbox().consume('packages', uuidv7(), async () => {});
    await firstReplica.query(`UPDATE inbox_entries SET created_at = now() - interval '25 hours'
                      WHERE request_id = (SELECT min(request_id) FROM inbox_entries)`);
    await firstReplica.query(`UPDATE consumed_events SET consumed_at = now() - interval '8 days'
                      WHERE event_id = (SELECT min(event_id) FROM consumed_events)`);
    await new RetentionSweeper({ dataSource: secondReplica, logger: silent }).sweep();
    expect(await countRows(firstReplica, 'inbox_entries')).toBe(1);
    expect(await countRows(firstReplica, 'consumed_events')).toBe(1);
  });
});
