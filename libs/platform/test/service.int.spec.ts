import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Injectable, Module } from '@nestjs/common';
import { pino } from 'pino';
import { createClient } from 'redis';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { z } from 'zod';
import { command, event, query, visitor } from '#libs/contracts';
import { DatabaseModule, Inbox, Outbox, outboxAndInboxMigrations } from '#libs/database';
import { eventually, freshDatabase, freshRedis, startTcpGate, type TcpGate } from '#libs/testing';
import { type EventContext, Handles, OnEvent, type RequestContext, RpcClient } from '#libs/transport';
import { freePort } from '../../../dev/embedded/ports.js';
import { type RunningService, startService } from '../src/index.js';

const contract = {
  add: command({
    pattern: 'orders.addNote',
    access: 'public',
    input: z.object({ body: z.string() }),
    output: z.object({ id: z.int() }),
  }),
  slow: query({ pattern: 'orders.slow', access: 'public', input: z.object({}), output: z.string() }),
  read: query({ pattern: 'orders.read', access: 'public', input: z.object({}), output: z.array(z.string()) }),
};
const noteAdded = event('orders.noteAdded', z.object({ id: z.int() }));

@Injectable()
class TestHooks {
  heldRequests = 0;
  release = () => {};
  /** Has a note's id once for each time that the note's event was handled. */
  readonly followed: number[] = [];
  /** Called when Postgres did not answer a read. */
  onFailedRead = () => {};
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));

  async hold(): Promise<void> {
    this.heldRequests += 1;
    await this.released;
  }
}

@Controller()
class NoteController {
  constructor(
    private readonly hooks: TestHooks,
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
  ) {}

  @Handles(contract.add)
  add({ body }: { body: string }, context: RequestContext): Promise<{ id: number }> {
    return this.inbox.once(context, async (tx) => {
      const [row] = await tx.query<[{ id: number }]>('INSERT INTO notes (body) VALUES ($1) RETURNING id', [
        body,
      ]);
      await this.outbox.append(tx, noteAdded, row);
      return row;
    });
  }

  @Handles(contract.slow)
  async slow(): Promise<string> {
    await this.hooks.hold();
    return 'done';
  }

  @Handles(contract.read)
  async read(): Promise<string[]> {
    const rows = await this.dataSource
      .query<{ body: string }[]>('SELECT body FROM notes')
      .catch((error: unknown) => {
        this.hooks.onFailedRead();
        throw error;
      });
    return rows.map(({ body }) => body);
  }

  @OnEvent(noteAdded)
  async follow({ id }: { id: number }, context: EventContext): Promise<void> {
    await this.dataSource.query('UPDATE notes SET deliveries = deliveries + 1 WHERE id = $1', [id]);
    await this.inbox.consume('notes', context.eventId, (tx) =>
      tx.query('UPDATE notes SET effects = effects + 1 WHERE id = $1', [id]),
    );
    this.hooks.followed.push(id);
  }
}

class CreateNotes implements MigrationInterface {
  readonly name = 'CreateNotes1763600000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE notes (
      id serial PRIMARY KEY, body text NOT NULL, deliveries int NOT NULL DEFAULT 0, effects int NOT NULL DEFAULT 0)`);
  }
  async down(): Promise<void> {}
}

describe('a service', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  let gate: TcpGate;
  let client: RpcClient;
  let service: RunningService;
  const logger = pino({ level: 'silent' });

  beforeAll(async () => {
    [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
    gate = await startTcpGate(database.url);
    client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
    await client.connect();
  });
  beforeEach(async () => {
    @Module({
      imports: [
        DatabaseModule.forRoot({
          url: gate.url,
          connectTimeoutMs: 3_000,
          entities: [],
          migrations: [...outboxAndInboxMigrations, CreateNotes],
        }),
      ],
      controllers: [NoteController],
      providers: [TestHooks],
    })
    class NotesModule {}
    service = await startService({
      name: 'orders',
      config: { REDIS_URL: redis.url, HEALTH_PORT: 0, HEALTH_HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
      module: NotesModule,
      logger,
    });
  });
  afterEach(() => service.close());
  afterAll(async () => {
    await client.close();
    await gate.close();
    await Promise.all([database.drop(), redis.stop()]);
  });

  const health = (path: string) => fetch(`http://127.0.0.1:${service.healthPort}${path}`);
  const note = async (id: number) => {
    const rows = await service.app
      .get(DataSource)
      .query('SELECT deliveries, effects FROM notes WHERE id = $1', [id]);
    return (rows as [{ deliveries: number; effects: number }])[0];
  };

  test('executes a command once and publishes its event, which the follower handles once', async () => {
    const options = { actor: visitor, requestId: 'request-1' };
    const [added, repeated] = await Promise.all([
      client.call(contract.add, { body: 'a' }, options),
      client.call(contract.add, { body: 'a' }, options),
    ]);
    expect(repeated).toEqual(added);
    await eventually(async () => expect(await note(added.id)).toEqual({ deliveries: 1, effects: 1 }));
    const metrics = await (await health('/metrics')).text();
    // Both calls reached the handler; one of them got the stored reply.
    expect(metrics).toMatch(
      /rpc_handler_seconds_count\{service="orders",pattern="orders.addNote",outcome="ok"\} 2/,
    );
    expect(metrics).toMatch(
      /event_handler_seconds_count\{service="orders",event="orders.noteAdded",outcome="ok"\} 1/,
    );
  });

  test('a Redis that restarts empty gets recent events again, without a second effect', async () => {
    const { id } = await client.call(contract.add, { body: 'b' }, { actor: visitor });
    await eventually(async () => expect(await note(id)).toEqual({ deliveries: 1, effects: 1 }));
    await redis.restartEmpty();
    const { followed } = service.app.get(TestHooks);
    await eventually(() => expect(followed.filter((followedId) => followedId === id)).toHaveLength(2));
    // The event was handled twice, but only the first time had an effect.
    await eventually(async () => expect(await note(id)).toEqual({ deliveries: 2, effects: 1 }));
  });

  test('answers requests in progress when it stops', async () => {
    const hooks = service.app.get(TestHooks);
    const call = client.call(contract.slow, {}, { actor: visitor });
    await eventually(() => expect(hooks.heldRequests).toBe(1));
    const closed = service.close();
    expect(await (await health('/readyz')).json()).toMatchObject({ status: 'draining' });
    hooks.release();
    expect(await call).toBe('done');
    await closed;
    await expect(health('/healthz')).rejects.toThrow('fetch failed');
  });

  test('a short outage of Postgres causes no error, and nothing happens twice', async () => {
    // So that the service has a connection to Postgres, which then breaks.
    await client.call(contract.read, {}, { actor: visitor });
    await gate.shut();
    const readFailed = new Promise<void>((resolve) => (service.app.get(TestHooks).onFailedRead = resolve));
    const calls = Promise.all([
      client.call(contract.read, {}, { actor: visitor }),
      ...['during outage', 'during outage'].map((body) =>
        client.call(contract.add, { body }, { actor: visitor }),
      ),
    ]);
    await readFailed;
    await gate.open();
    await calls;
    const stored = await client.call(contract.read, {}, { actor: visitor });
    expect(stored.filter((body) => body === 'during outage')).toHaveLength(2);
  });

  test('callers get UNAVAILABLE while Postgres is down, and are served when it is back', async () => {
    await gate.shut();
    await expect(client.call(contract.read, {}, { actor: visitor })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await gate.open();
    await eventually(() => client.call(contract.read, {}, { actor: visitor }));
  });

  test('stops even if Redis and Postgres are down', async () => {
    await gate.shut();
    await redis.kill();
    await service.close();
    await expect(health('/healthz')).rejects.toThrow('fetch failed');
    await gate.open();
    await redis.restartEmpty();
  });
});

test('a service that cannot open its database leaves nothing open', async () => {
  const redis = await freshRedis();
  const database = await freshDatabase();
  const url = new URL(database.url);
  url.pathname = '/nowhere';
  @Module({ imports: [DatabaseModule.forRoot({ url: url.href, entities: [], migrations: [] })] })
  class ModuleWithMissingDatabase {}
  const healthPort = await freePort();
  const starting = startService({
    name: 'orders',
    config: { REDIS_URL: redis.url, HEALTH_PORT: healthPort, HEALTH_HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
    module: ModuleWithMissingDatabase,
  });
  await expect(starting).rejects.toThrow('Cannot open the database');
  await expect(fetch(`http://127.0.0.1:${healthPort}/healthz`)).rejects.toThrow('fetch failed');
  const observer = await createClient({ url: redis.url }).connect();
  await eventually(async () => {
    const clients = String(await observer.sendCommand(['CLIENT', 'LIST']));
    // Only the observer itself is connected.
    expect(clients.trim().split('\n')).toEqual([expect.stringContaining('cmd=client|list')]);
  });
  await observer.close();
  await redis.stop();
  await database.drop();
});
