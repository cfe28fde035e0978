import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { pino } from 'pino';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { eventually, freshDatabase, type TcpGate, startTcpGate, type TestDatabase } from '#libs/testing';
import {
  Inbox,
  isUniqueViolation,
  openDatabase,
  Outbox,
  OutboxRelay,
  runMigrations,
  transaction,
  uuidv7,
} from '../src/index.js';
import { addNote, countRows, optionsFor } from './tables.js';

const logger = pino({ level: 'silent' });

beforeAll(() => Logger.overrideLogger(false));

describe('migrations', () => {
  let database: TestDatabase;
  afterEach(() => database.drop());

  test('three runs that start together apply each migration once', async () => {
    database = await freshDatabase();
    const options = optionsFor(database.url);
    const applied = await Promise.all([1, 2, 3].map(() => runMigrations(options)));
    expect(applied.flat().sort()).toEqual(['CreateNotes1763600000001', 'CreateOutboxAndInbox1763600000000']);
    expect(await runMigrations(options)).toEqual([]);
  });

  test('a failing migration leaves nothing behind and does not block the next attempt', async () => {
    database = await freshDatabase();
    class CreateHalf implements MigrationInterface {
      readonly name = 'CreateHalf1763600000002';
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE half (id int)');
        await runner.query('SELECT 1 FROM missing_table');
      }
      async down(): Promise<void> {}
    }
    const base = optionsFor(database.url);
    const failing = { ...base, migrations: [...base.migrations, CreateHalf] };
    await expect(openDatabase(failing)).rejects.toThrow('missing_table');
    const dataSource = await openDatabase(base);
    expect(await dataSource.query(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
    await dataSource.destroy();
  });

  test('a wrong database name is reported immediately, without the password', async () => {
    database = await freshDatabase();
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    expect(url.password).not.toBe('');
    const error: unknown = await openDatabase(optionsFor(url.href, { bootTimeoutMs: 60_000 })).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).toContain(`Cannot open the database at ${url.host}/nowhere`);
    expect(inspect(error, { depth: 5 })).not.toContain(url.password);
  });

  test('starting without Postgres fails after a time limit, with an error that names the database’s address', async () => {
    database = await freshDatabase();
    const gate = await startTcpGate(database.url);
    await gate.shut();
    const opening = openDatabase(optionsFor(gate.url, { bootTimeoutMs: 50 }));
    await expect(opening).rejects.toThrow(
      `Postgres at ${new URL(gate.url).host}/${database.name} did not answer`,
    );
  });
});

describe('transaction', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await freshDatabase();
    dataSource = await openDatabase(optionsFor(database.url));
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  test('two transactions that deadlock both succeed', async () => {
    await dataSource.query(`INSERT INTO notes (id, body) VALUES (1001, ''), (1002, '')`);
    let firstLocks = 0;
    const touch = (first: number, second: number) =>
      transaction(dataSource, async (tx) => {
        await tx.query(`UPDATE notes SET body = body || 'x' WHERE id = $1`, [first]);
        firstLocks += 1;
        await eventually(() => expect(firstLocks).toBeGreaterThan(1));
        await tx.query(`UPDATE notes SET body = body || 'x' WHERE id = $1`, [second]);
      });
    await Promise.all([touch(1001, 1002), touch(1002, 1001)]);
    // One was rolled back and ran again, so there were at least three first locks. The two may deadlock more than once.
    expect(firstLocks).toBeGreaterThan(2);
    expect(await dataSource.query('SELECT DISTINCT body FROM notes WHERE id > 1000')).toEqual([
      { body: 'xx' },
    ]);
  });

  test('when serializable transactions conflict, one of them is repeated', async () => {
    await dataSource.query(`INSERT INTO notes (id, body) VALUES (2001, '0')`);
    let reads = 0;
    const increment = () =>
      transaction(
        dataSource,
        async (tx) => {
          const [row] = await tx.query<[{ body: string }]>('SELECT body FROM notes WHERE id = 2001');
          reads += 1;
          // Both read before either of them writes.
          await eventually(() => expect(reads).toBeGreaterThan(1));
          await tx.query('UPDATE notes SET body = $1 WHERE id = 2001', [String(Number(row.body) + 1)]);
        },
        { isolation: 'SERIALIZABLE', attempts: 20 },
      );
    await Promise.all([increment(), increment()]);
    expect(await dataSource.query('SELECT body FROM notes WHERE id = 2001')).toEqual([{ body: '2' }]);
    expect(reads).toBe(3);
  });

  test('a unique violation is passed on unchanged, and isUniqueViolation recognizes it by its index', async () => {
    const failing = transaction(dataSource, async (tx) => {
      await tx.query('INSERT INTO notes (id, body) VALUES (3001, $1)', ['a']);
      await tx.query('INSERT INTO notes (id, body) VALUES (3001, $1)', ['b']);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    const error: unknown = await failing.catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'notes_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'another_index')).toBe(false);
  });

  test('sessions use UTC', async () => {
    expect(await dataSource.query('SHOW TimeZone')).toEqual([{ TimeZone: 'UTC' }]);
  });

  test('a statement that takes too long fails with UNAVAILABLE', async () => {
    const hasty = await openDatabase(optionsFor(database.url, { statementTimeoutMs: 50 }));
    await expect(transaction(hasty, (tx) => tx.query('SELECT pg_sleep(5)'))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await hasty.destroy();
  });
});

describe('if connections to Postgres are cut or freeze', () => {
  let database: TestDatabase;
  let gate: TcpGate;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await freshDatabase();
    gate = await startTcpGate(database.url);
    dataSource = await openDatabase(
      optionsFor(gate.url, { connectTimeoutMs: 3_000, statementTimeoutMs: 3_000 }),
    );
  });
  afterEach(() => gate.open());
  afterAll(async () => {
    await dataSource.destroy();
    await gate.close();
    await database.drop();
  });

  const addOnce = () =>
    new Inbox(dataSource).once({ requestId: uuidv7(), fingerprint: 'a' }, (tx) => addNote(tx, 'a'));

  test('callers get UNAVAILABLE, and the pool recovers', async () => {
    await addOnce();
    await gate.shut();
    await expect(addOnce()).rejects.toMatchObject({ code: 'UNAVAILABLE', details: { retryAfterSeconds: 1 } });
    await gate.open();
    await eventually(addOnce);
  });

  test('a caller in the middle of a transaction gets UNAVAILABLE, and nothing is stored', async () => {
    const before = await countRows(dataSource, 'notes');
    const cut = transaction(dataSource, async (tx) => {
      await addNote(tx, 'a');
      await gate.shut();
      await addNote(tx, 'b');
    });
    await expect(cut).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await gate.open();
    await eventually(async () => expect(await countRows(dataSource, 'notes')).toBe(before));
  });

  test('a process that freezes in the middle of a transaction loses its locks', async () => {
    const options = { idleInTransactionMs: 200 };
    const frozen = await openDatabase(optionsFor(gate.url, options));
    const healthy = await openDatabase(optionsFor(database.url));
    await healthy.query(`INSERT INTO notes (id, body) VALUES (4001, '')`);
    const stuck = transaction(frozen, async (tx) => {
      await tx.query(`UPDATE notes SET body = 'frozen' WHERE id = 4001`);
      gate.freeze();
      await healthy.query(`UPDATE notes SET body = 'healthy' WHERE id = 4001`);
      await gate.open();
      await tx.query('SELECT 1');
    });
    await expect(stuck).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await healthy.query('SELECT body FROM notes WHERE id = 4001')).toEqual([{ body: 'healthy' }]);
    await Promise.all([frozen.destroy(), healthy.destroy()]);
  });

  test('callers do not wait forever if Postgres hangs', async () => {
    gate.freeze();
    await expect(addOnce()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await gate.open();
    await eventually(addOnce);
  });

  test('the outbox relay survives, and sends events when Postgres is back', async () => {
    const received: string[] = [];
    const relay = new OutboxRelay({
      dataSource,
      outbox: new Outbox(dataSource),
      sink: {
        redisRunId: async () => 'redis-1',
        publish: async (messages) => void received.push(...messages.map(({ id }) => id)),
      },
      logger,
      pollMs: 20,
    });
    relay.start();
    await gate.shut();
    await expect(relay.backlog()).rejects.toThrow();
    await gate.open();
    const id = uuidv7();
    await eventually(() =>
      dataSource.query(
        `INSERT INTO outbox_messages (id, event, payload) VALUES ($1, 'content.noteAdded', '{}')
         ON CONFLICT DO NOTHING`,
        [id],
      ),
    );
    await eventually(() => expect(received).toEqual([id]));
    await relay.stop();
  });
});
