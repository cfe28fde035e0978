import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { event } from '#libs/contracts';
import { eventually } from '#libs/testing';
import {
  type EventSink,
  Outbox,
  OutboxRelay,
  type OutboxMessage,
  RetentionSweeper,
  transaction,
} from '../src/index.js';
import { addNote, countRows, openReplicas } from './tables.js';

const logger = pino({ level: 'silent' });
const noteAdded = event('content.noteAdded', z.object({ id: z.int() }));

/** Stands for Redis, which can be unreachable, or replaced by another with a new `runId`. Records the events it gets. */
class RecordingSink implements EventSink {
  received: OutboxMessage[] = [];
  isUnreachable = false;
  runId = 'redis-1';

  async redisRunId(): Promise<string> {
    if (this.isUnreachable) throw new Error('connection refused');
    return this.runId;
  }

  async publish(messages: OutboxMessage[]): Promise<void> {
    if (this.isUnreachable) throw new Error('connection refused');
    this.received.push(...messages);
  }
}

describe('outbox', () => {
  let opened: Awaited<ReturnType<typeof openReplicas>>;
  let firstReplica: DataSource;
  let secondReplica: DataSource;
  let outboxes: Outbox[];
  let sink: RecordingSink;
  const relays: OutboxRelay[] = [];

  beforeAll(async () => {
    opened = await openReplicas(2);
    [firstReplica, secondReplica] = opened.replicas as [DataSource, DataSource];
    outboxes = [new Outbox(firstReplica), new Outbox(secondReplica)];
  });
  beforeEach(async () => {
    sink = new RecordingSink();
    await firstReplica.query('TRUNCATE notes, outbox_messages');
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  });
  afterAll(() => opened.close());

  /** By default, the relay polls so rarely that an event arrives in time only if the outbox wakes the relay. */
  function startRelay(replica: number, { pollMs = 600_000, batchSize = 100 } = {}): OutboxRelay {
    const dataSource = replica === 0 ? firstReplica : secondReplica;
    const outbox = outboxes[replica] as Outbox;
    const relay = new OutboxRelay({ dataSource, outbox, sink, logger, pollMs, batchSize });
    relays.push(relay);
    relay.start();
    return relay;
  }

  const add = (replica: number) =>
    transaction(replica === 0 ? firstReplica : secondReplica, async (tx) => {
      const id = await addNote(tx, 'a');
      await (outboxes[replica] as Outbox).append(tx, noteAdded, { id });
      return id;
    });

  const receivedIds = () => sink.received.map(({ payload }) => (payload as { id: number }).id);

  test('an event is published right after its commit, with its payload', async () => {
    startRelay(0);
    const id = await add(0);
    await eventually(() => expect(receivedIds()).toEqual([id]));
    expect(sink.received[0]).toMatchObject({ event: 'content.noteAdded', occurredAt: expect.any(Date) });
    await eventually(async () =>
      expect(await firstReplica.query('SELECT sent_to FROM outbox_messages')).toEqual([
        { sent_to: 'redis-1' },
      ]),
    );
  });

  test('a rolled back change publishes nothing', async () => {
    startRelay(0);
    const failing = transaction(firstReplica, async (tx) => {
      const id = await addNote(tx, 'a');
      await (outboxes[0] as Outbox).append(tx, noteAdded, { id });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const id = await add(0);
    await eventually(() => expect(receivedIds()).toEqual([id]));
    expect(await countRows(firstReplica, 'outbox_messages')).toBe(1);
  });

  test('a rolled back savepoint drops only its own event', async () => {
    startRelay(0);
    const kept = await transaction(firstReplica, async (tx) => {
      const id = await addNote(tx, 'kept');
      await (outboxes[0] as Outbox).append(tx, noteAdded, { id });
      const inner = tx.transaction(async (nested) => {
        await (outboxes[0] as Outbox).append(nested, noteAdded, { id: 0 });
        throw new Error('not this part');
      });
      await expect(inner).rejects.toThrow('not this part');
      return id;
    });
    await eventually(() => expect(receivedIds()).toEqual([kept]));
  });

  test('appending an event outside a transaction, or with a wrong payload, is refused', async () => {
    const outbox = outboxes[0] as Outbox;
    await expect(outbox.append(firstReplica.manager, noteAdded, { id: 1 })).rejects.toThrow(
      'inside a transaction',
    );
    await expect(
      transaction(firstReplica, (tx) => outbox.append(tx, noteAdded, { id: 1.5 })),
    ).rejects.toThrow('expected int');
    expect(await countRows(firstReplica, 'outbox_messages')).toBe(0);
  });

  test('events of a replica whose relay does not run are found by polling', async () => {
    const id = await add(1);
    startRelay(0, { pollMs: 20 });
    await eventually(() => expect(receivedIds()).toEqual([id]));
    const later = await add(1);
    await eventually(() => expect(receivedIds()).toEqual([id, later]));
  });

  test('two concurrent relays send each of 300 events once', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 300; index++) ids.push(await add(index % 2));
    startRelay(0, { pollMs: 20, batchSize: 7 });
    startRelay(1, { pollMs: 20, batchSize: 7 });
    await eventually(() => expect(receivedIds()).toHaveLength(300));
    expect(receivedIds().sort((a, b) => a - b)).toEqual(ids);
  });

  test('the events of a transaction that commits late are not missed', async () => {
    startRelay(0);
    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    let isAppended = false;
    const late = transaction(firstReplica, async (tx) => {
      const id = await addNote(tx, 'late');
      await (outboxes[0] as Outbox).append(tx, noteAdded, { id });
      isAppended = true;
      await mayCommit;
      return id;
    });
    await eventually(() => expect(isAppended).toBe(true));
    const early = await add(0);
    await eventually(() => expect(receivedIds()).toEqual([early]));
    commit();
    const lateId = await late;
    await eventually(() => expect(receivedIds()).toEqual([early, lateId]));
  });

  test('events wait while Redis is down and are sent when it is back', async () => {
    sink.isUnreachable = true;
    const relay = startRelay(0, { pollMs: 20 });
    const id = await add(0);
    await eventually(async () => expect((await relay.backlog()).count).toBe(1));
    expect((await relay.backlog()).oldestAgeSeconds).toBeGreaterThan(0);
    sink.isUnreachable = false;
    await eventually(() => expect(receivedIds()).toEqual([id]));
    await eventually(async () => expect(await relay.backlog()).toEqual({ count: 0, oldestAgeSeconds: 0 }));
  });

  test('a Redis that replaces another gets the events of the last ten minutes, once, and nothing older', async () => {
    const first = startRelay(0, { pollMs: 20 });
    const old = await add(0);
    const recent = await add(0);
    await eventually(async () => expect((await first.backlog()).count).toBe(0));
    await firstReplica.query(
      `UPDATE outbox_messages SET sent_at = now() - interval '11 minutes' WHERE payload->>'id' = $1`,
      [String(old)],
    );
    // A running relay could read the former run id just before it changes, and would then send an event twice.
    await first.stop();
    sink.received = [];
    sink.runId = 'redis-2';
    const both = [startRelay(0, { pollMs: 20 }), startRelay(1, { pollMs: 20 })];
    await eventually(() => expect(receivedIds()).toEqual([recent]));
    await Promise.all(both.map((relay) => relay.stop()));
    const third = startRelay(0, { pollMs: 20 });
    const next = await add(0);
    await eventually(() => expect(receivedIds()).toEqual([recent, next]));
    await third.stop();
  });

  test('the sweep deletes old sent rows, and never unsent ones', async () => {
    const [old] = [await add(0), await add(0), await add(0)];
    await firstReplica.query(`UPDATE outbox_messages SET occurred_at = now() - interval '3 days'`);
    await firstReplica.query(
      `UPDATE outbox_messages SET sent_at = now() - interval '20 minutes', sent_to = 'redis-1'
                      WHERE payload->>'id' = $1`,
      [String(old)],
    );
    await new RetentionSweeper({ dataSource: firstReplica, logger }).sweep();
    expect(await countRows(firstReplica, 'outbox_messages')).toBe(2);
    expect(await firstReplica.query('SELECT 1 FROM outbox_messages WHERE sent_at IS NOT NULL')).toEqual([]);
  });
});
